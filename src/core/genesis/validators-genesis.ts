/**
 * Validators that a genesis document lists in its staking section, with the delegations of their operators
 * (cosmos-sdk v0.53 `x/staking/types/genesis.go`).
 */
import { base64 } from '@scure/base';
import type { TimeNs } from '../primitives.js';
import type { Crypto } from '../ports/crypto.js';
import { decodeBech32, encodeAddress, moduleAddress } from '../sdk/codec/address.js';
import { DEV_BECH32_PREFIX } from './dev-chain.js';
import { formatTime } from '../comet/time.js';

/** Tokens per unit of voting power. */
const POWER_REDUCTION = 10n ** 18n;

export interface GenesisValidator {
  /** Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly power: bigint;
  readonly name: string;
}

export interface StakedValidators {
  readonly validators: readonly unknown[];
  readonly delegations: readonly unknown[];
  /** Address of the not-bonded pool, which holds the tokens until InitGenesis bonds the validators. */
  readonly pool: string;
  /** Sum of all validators' tokens, in the base denom. */
  readonly tokens: bigint;
}

/**
 * Builds each validator with the tokens of its power, delegated by its operator: account i operates validator i. A
 * validator without an account gets an operator address without a key.
 */
export function stakedValidators(crypto: Crypto, { validators, accounts, time }: Listed): StakedValidators {
  const prefix = decodeBech32(accounts[0] ?? '')?.prefix ?? DEV_BECH32_PREFIX;
  const staked = validators.map(({ publicKey, power, name }, index) => {
    const account = decodeBech32(accounts[index] ?? '')?.bytes ?? publicKey.slice(0, 20);
    return {
      publicKey,
      name,
      operator: encodeAddress(`${prefix}valoper`, account),
      delegator: encodeAddress(prefix, account),
      tokens: power * POWER_REDUCTION,
    };
  });
  return {
    validators: staked.map(({ publicKey, name, operator, tokens }) => ({
      operator_address: operator,
      consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: base64.encode(publicKey) },
      jailed: false,
      status: 'BOND_STATUS_UNBONDED',
      tokens: tokens.toString(),
      delegator_shares: `${tokens}.000000000000000000`,
      description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
      unbonding_height: '0',
      unbonding_time: '1970-01-01T00:00:00Z',
      commission: {
        commission_rates: {
          rate: '0.100000000000000000',
          max_rate: '0.200000000000000000',
          max_change_rate: '0.010000000000000000',
        },
        update_time: formatTime(time),
      },
      min_self_delegation: '1',
      unbonding_on_hold_ref_count: '0',
      unbonding_ids: [],
    })),
    delegations: staked.map(({ operator, delegator, tokens }) => ({
      delegator_address: delegator,
      validator_address: operator,
      shares: `${tokens}.000000000000000000`,
    })),
    pool: encodeAddress(prefix, moduleAddress(crypto, 'not_bonded_tokens_pool')),
    tokens: staked.reduce((sum, { tokens }) => sum + tokens, 0n),
  };
}

interface Listed {
  readonly validators: readonly GenesisValidator[];
  /** Bech32 addresses of the accounts. */
  readonly accounts: readonly string[];
  readonly time: TimeNs;
}
