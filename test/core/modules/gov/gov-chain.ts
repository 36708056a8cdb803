/** A development chain with governance: account 0 operates the only validator, and accounts 1 and 2 delegate to it. */
import { create, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { Contexts } from '../../../../src/core/app/contexts.js';
import { chronicle, ofModules } from '../../../../src/core/app/presets.js';
import { getSupply, setBalance, setSupply } from '../../../../src/core/modules/bank/balances.js';
import { bankModule } from '../../../../src/core/modules/bank/module.js';
import { govModule } from '../../../../src/core/modules/gov/module.js';
import { setDelegation } from '../../../../src/core/modules/staking/delegations.js';
import { STORE } from '../../../../src/core/modules/staking/keys.js';
import { setParams } from '../../../../src/core/modules/staking/params.js';
import { BondStatus } from '../../../../src/core/modules/staking/validator.js';
import { setByPower, setValidator } from '../../../../src/core/modules/staking/validators.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { DescriptionSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { encodeAddress, moduleAddress, parseAddress } from '../../../../src/core/sdk/codec/address.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { account, chain, DevChain, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const COIN = 10n ** 18n;
const SHARES = [50n, 30n, 20n] as const;
export const GOV = encodeAddress('chron', moduleAddress(crypto, 'gov'));
const bytesOf = (address: string): Uint8Array => {
  const bytes = parseAddress('chron', address);
  if (bytes === undefined) throw new Error(address);
  return bytes;
};

/** Staking without messages: accounts 0, 1 and 2 delegate 50, 30 and 20 coins. */
const stake: Module = {
  name: 'staking',
  store: STORE,
  consensusVersion: 5n,
  initGenesis(context: Context) {
    const operator = bytesOf(account(0).address);
    const total = SHARES.reduce((sum, share) => sum + share, 0n) * COIN;
    const validator = {
      operator,
      consensusKey: {
        $typeName: 'google.protobuf.Any',
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: toBinary(PubKeySchema, create(PubKeySchema, { key: new Uint8Array(32).fill(7) })),
      },
      jailed: false,
      status: BondStatus.BONDED,
      tokens: total,
      shares: total * DEC_ONE,
      description: create(DescriptionSchema),
      unbondingHeight: 0n,
      unbondingTime: toTimeNs(0n),
      commission: { rate: 0n, maxRate: 0n, maxChangeRate: 0n, updateTime: toTimeNs(0n) },
      minSelfDelegation: 1n,
      onHold: 0n,
      unbondingIds: [],
    } as const;
    setParams(context, {
      unbondingTime: 1n,
      maxValidators: 10,
      maxEntries: 7,
      historicalEntries: 1,
      bondDenom: 'achr',
      minCommissionRate: 0n,
    });
    setValidator(context, validator);
    setByPower(context, validator);
    SHARES.forEach((share, index) =>
      setDelegation(context, { delegator: bytesOf(account(index).address), operator, shares: share * COIN * DEC_ONE }),
    );
    setBalance(context, moduleAddress(context.crypto, 'bonded_tokens_pool'), 'achr', total);
    setSupply(context, 'achr', getSupply(context, 'achr') + total);
  },
  exportGenesis: () => ({}),
  messages: [],
  queries: [],
};

const modules = chronicle.modules.filter(({ name }) => name !== 'staking' && name !== 'gov');

/** An application version with governance and this staking, changed for a test. */
export function govVersion(change: Partial<AppVersion> = {}): AppVersion {
  return {
    ...chronicle,
    ...ofModules([...modules, stake, govModule]),
    beginBlockOrder: chronicle.beginBlockOrder.filter((name) => modules.some((module) => module.name === name)),
    endBlockOrder: ['gov', ...chronicle.endBlockOrder.filter((name) => modules.some((module) => module.name === name))],
    moduleAccounts: { ...chronicle.moduleAccounts, bonded_tokens_pool: ['burner', 'staking'] },
    hooks: { staking: [], gov: [], ethereum: [] },
    ...change,
  };
}

/** Parameters of its genesis: a deposit of 1000, and seconds for the periods. */
export const PARAMS = {
  min_deposit: [{ denom: 'achr', amount: '1000' }],
  expedited_min_deposit: [{ denom: 'achr', amount: '5000' }],
  max_deposit_period: '20s',
  voting_period: '10s',
  expedited_voting_period: '5s',
  quorum: '0.334000000000000000',
  threshold: '0.500000000000000000',
  expedited_threshold: '0.667000000000000000',
  veto_threshold: '0.334000000000000000',
  min_initial_deposit_ratio: '0.000000000000000000',
  proposal_cancel_ratio: '0.500000000000000000',
  proposal_cancel_dest: '',
  burn_vote_veto: true,
  min_deposit_ratio: '0.010000000000000000',
};

export interface Sent {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

export class GovChain {
  readonly dev: DevChain;
  /** Seconds since the genesis. */
  now = 1n;
  readonly #sequences = [0n, 0n, 0n, 0n];

  constructor(params: Readonly<Record<string, unknown>> = {}, version: AppVersion = govVersion()) {
    this.dev = new DevChain({ version }, 4, true, {
      gov: { starting_proposal_id: '1', params: { ...PARAMS, ...params } },
    });
  }

  /** A block of one transaction of account `from`. */
  send<Desc extends DescMessage>(from: number, schema: Desc, message: MessageInitShape<Desc>): Sent {
    const tx = signed(from, this.#sequences[from] ?? 0n, schema, message, { gas: 1_000_000n });
    this.#sequences[from] = (this.#sequences[from] ?? 0n) + 1n;
    const result = this.block(0n, tx);
    const [sent] = result.results.txResults;
    if (sent === undefined) throw new Error('no result');
    return { code: sent.code, codespace: sent.codespace, log: sent.log };
  }

  /** Executes a block `seconds` after the last one. */
  block(seconds: bigint, ...txs: readonly Uint8Array[]) {
    this.now += seconds;
    const request = { ...this.dev.next(txs), time: toTimeNs(1_700_000_000_000_000_000n + this.now * 1_000_000_000n) };
    const result = this.dev.execute(request);
    if (result.kind !== 'executed') throw new Error(result.reason);
    return result;
  }

  /** Executes a block `seconds` later; returns its events of proposals and burned coins as texts. */
  pass(seconds: bigint): readonly string[] {
    return this.block(seconds).results.events.flatMap(({ type, attributes }) =>
      /^(in)?active_proposal$|^proposal_deposit$|^burn$/.test(type)
        ? [`${type} ${attributes.flatMap(({ key, value }) => (key === 'mode' ? [] : [value])).join(' | ')}`]
        : [],
    );
  }

  /** Errors of the invariants of governance and bank that are broken. */
  brokenInvariants(): readonly string[] {
    const context = new Contexts({ version: govVersion(), chain, crypto, router: new MessageRouter(govVersion()) });
    return [govModule, bankModule]
      .flatMap(({ invariants = [] }) => invariants)
      .flatMap((one) => one.check(context.query(this.dev.state, this.dev.at())) ?? []);
  }

  balance(address: string): bigint {
    const value = this.dev.state.get(
      'bank',
      Uint8Array.of(2, 20, ...bytesOf(address), ...new TextEncoder().encode('achr')),
    );
    return value === undefined ? 0n : BigInt(new TextDecoder().decode(value));
  }
}

export function any<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Any {
  return {
    $typeName: 'google.protobuf.Any',
    typeUrl: `/${schema.typeName}`,
    value: toBinary(schema, create(schema, message)),
  };
}

export const achr = (amount: bigint): { readonly denom: string; readonly amount: string }[] => [
  { denom: chain.baseDenom, amount: amount.toString() },
];
