/** A chain of one validator with short periods, on which every module is in use within some dozen blocks. */
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { type Metadata, MetadataSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { goldenPath } from '../../support/golden.js';
import type { Random } from '../random.js';
import { type Actor, cast } from './actors.js';

export const EVM_CHAIN_ID = 262_144n;
export const PREFIX = 'cosmos';
export const DENOMS = [
  'atest',
  'aother',
  'uhalf',
  'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
] as const;

/** Traces of the last denom, and of others without coins; the channel opens as a transaction makes it. */
const TRANSFER = {
  denoms: [
    { base: 'uatom', trace: [{ port_id: 'transfer', channel_id: 'channel-0' }] },
    { base: 'gamm/pool/1', trace: [{ port_id: 'transfer', channel_id: 'channel-7' }] },
    {
      base: 'ünit',
      trace: [
        { port_id: 'transfer', channel_id: 'channel-1' },
        { port_id: 'other', channel_id: '07-tendermint-0' },
      ],
    },
    { base: 'uhalf', trace: [] },
    { base: 'ß', trace: [] },
  ],
  total_escrowed: [
    { denom: 'aother', amount: String(2n ** 256n - 1n) },
    { denom: 'atest', amount: '5' },
    { denom: 'uhalf', amount: '123456789012345678901234567890' },
  ],
};

interface Params {
  readonly params: Record<string, unknown>;
}

/** The sections that are changed. */
interface State {
  readonly auth: Params & { readonly accounts: object[] };
  readonly bank: Params & {
    readonly balances: object[];
    supply: readonly { readonly denom: string; readonly amount: string }[];
    send_enabled: readonly object[];
    readonly denom_metadata: readonly JsonValue[];
  };
  readonly distribution: Params;
  readonly feemarket: Params;
  readonly gov: Params;
  readonly slashing: Params;
  readonly staking: Params;
  transfer: object;
}

interface Document {
  readonly genesis_time: string;
  readonly chain_id: string;
  readonly app_state: State;
  readonly consensus: { readonly params: { readonly block: { max_gas: string } } };
}

type Keys = Readonly<Record<string, { readonly priv: string }>>;

export interface Founded {
  readonly genesis: Uint8Array;
  readonly actors: readonly Actor[];
  readonly chainId: string;
  /** Metadata of denominations that have it, by their base. */
  readonly coinMetadata: ReadonlyMap<string, Metadata>;
}

const E18 = 10n ** 18n;

/** Parameters follow the choices of `random`. */
export function foundedChain(random: Random): Founded {
  const document = JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8')) as Document;
  const keys = JSON.parse(readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8')) as Keys;
  const actors = cast(PREFIX, Buffer.from(keys['mykey']?.priv.slice(2) ?? '', 'hex'));
  const state = document.app_state;
  addAccounts(state, actors, BigInt(Date.parse(document.genesis_time)) / 1000n);
  state.transfer = { ...state.transfer, ...TRANSFER };
  state.auth.params['tx_sig_limit'] = random.pick(['7', '7', '7', '2']);
  state.auth.params['sig_verify_cost_secp256k1'] = random.pick(['1000', '1000', '1', '50000']);
  state.auth.params['tx_size_cost_per_byte'] = random.pick(['10', '10', '1', '200']);
  state.auth.params['max_memo_characters'] = random.pick(['256', '256', '60']);
  state.slashing.params['slash_fraction_downtime'] = random.pick(['0.010000000000000000', '0.333333333333333333', '0']);
  state.slashing.params['signed_blocks_window'] = random.pick(['3', '10', '30']);
  state.slashing.params['downtime_jail_duration'] = random.pick(['1s', '3s', '20s']);
  state.staking.params['unbonding_time'] = random.pick(['4s', '15s', '40s']);
  state.staking.params['min_commission_rate'] = random.pick(['0.000000000000000000', '0.000000000000000000', '0.1']);
  state.staking.params['max_entries'] = random.pick([2, 7]);
  state.staking.params['max_validators'] = random.pick([2, 3, 100]);
  state.staking.params['historical_entries'] = random.pick([0, 5, 10_000]);
  state.gov.params['voting_period'] = random.pick(['5s', '12s']);
  state.gov.params['expedited_voting_period'] = random.pick(['2s', '4s']);
  state.gov.params['max_deposit_period'] = random.pick(['4s', '15s']);
  state.gov.params['quorum'] = random.pick(['0.334000000000000000', '0.000000000000000001', '0.9']);
  state.gov.params['burn_vote_quorum'] = random.chance(0.3);
  state.gov.params['burn_proposal_deposit_prevote'] = random.chance(0.3);
  state.gov.params['min_initial_deposit_ratio'] = random.pick(['0.000000000000000000', '0.100000000000000000']);
  state.gov.params['proposal_cancel_dest'] = random.pick(['', actors[1]?.bech32 ?? '']);
  state.distribution.params['withdraw_addr_enabled'] = random.chance(0.9);
  state.bank.params['default_send_enabled'] = random.chance(0.9);
  if (random.chance(0.3)) state.bank.send_enabled = [{ denom: 'uhalf', enabled: random.chance(0.5) }];
  state.feemarket.params['min_gas_price'] = random.pick(['0.000000000000000000', '7.500000000000000000']);
  state.feemarket.params['no_base_fee'] = random.chance(0.2);
  document.consensus.params.block.max_gas = random.pick(['10000000', '10000000', '2500000', '900000', '-1']);
  const metadata = state.bank.denom_metadata.map((each) => fromJson(MetadataSchema, each));
  return {
    genesis: Buffer.from(JSON.stringify(document)),
    actors,
    chainId: document.chain_id,
    coinMetadata: new Map(metadata.map((each) => [each.base, each])),
  };
}

function addAccounts(state: State, actors: readonly Actor[], start: bigint): void {
  const supply = new Map<string, bigint>([['atest', BigInt(state.bank.supply[0]?.amount ?? '0')]]);
  for (const [index, actor] of actors.entries()) {
    if (actor.name === 'founder' || actor.name.startsWith('late')) continue;
    const amount = 10_000n * E18;
    const coins = DENOMS.map((denom) => ({ denom, amount: String(amount) })).toSorted((a, b) =>
      a.denom < b.denom ? -1 : 1,
    );
    for (const denom of DENOMS) supply.set(denom, (supply.get(denom) ?? 0n) + amount);
    state.bank.balances.push({ address: actor.bech32, coins });
    state.auth.accounts.push(genesisAccount(actor, String(index + 10), start));
  }
  state.bank.supply = [...supply]
    .map(([denom, amount]) => ({ denom, amount: String(amount) }))
    .toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
}

function genesisAccount({ name, bech32 }: Actor, number: string, start: bigint): object {
  const base = { address: bech32, pub_key: null, account_number: number, sequence: '0' };
  const original = [{ denom: 'atest', amount: String(6_000n * E18) }];
  const vesting = (end: bigint): object => ({
    base_account: base,
    original_vesting: original,
    delegated_free: [],
    delegated_vesting: [],
    end_time: String(end),
  });
  const type = (named: string): string => `/cosmos.vesting.v1beta1.${named}`;
  switch (name) {
    case 'delayed':
      return { '@type': type('DelayedVestingAccount'), base_vesting_account: vesting(start + 60n) };
    case 'continuous':
      return {
        '@type': type('ContinuousVestingAccount'),
        base_vesting_account: vesting(start + 90n),
        start_time: String(start + 5n),
      };
    case 'periodic': {
      const amount = [{ denom: 'atest', amount: String(2_000n * E18) }];
      const periods = ['10', '20', '40'].map((length) => ({ length, amount }));
      return {
        '@type': type('PeriodicVestingAccount'),
        base_vesting_account: vesting(start + 70n),
        start_time: String(start),
        vesting_periods: periods,
      };
    }
    case 'locked':
      return { '@type': type('PermanentLockedAccount'), base_vesting_account: vesting(0n) };
    default:
      return { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base };
  }
}
