/** A chain in memory with every module; x/staking chooses its validators. */
import type { Any } from '@bufbuild/protobuf/wkt';
import type { BlockFacts, LastCommitVote, Misbehavior } from '../../../../src/core/application-requests.js';
import type { Application } from '../../../../src/core/application.js';
import { Contexts } from '../../../../src/core/app/contexts.js';
import { createApplication } from '../../../../src/core/app/create-application.js';
import type { EvmEngineFactory } from '../../../../src/core/evm/engine.js';
import { devGenesis } from '../../../../src/core/genesis/dev-genesis.js';
import { parseGenesis, type GenesisDocument } from '../../../../src/core/genesis/genesis-document.js';
import { getAccount } from '../../../../src/core/modules/auth/accounts.js';
import { getSupply } from '../../../../src/core/modules/bank/balances.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { ExecTxResult, ValidatorUpdate } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { presentModules } from '../../../../src/core/sdk/module/app-version.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { StateReader, StateStore } from '../../../../src/core/state/state.js';
import { account, chain } from '../dev-chain.js';
import { pairs, type JsonObject } from '../founded-again.js';
import { crypto, stateOf, toHex } from '../support.js';
import { achr, bytesOf, consensusAddress, PEOPLE, person } from './people.js';
import { encode } from '../../../support/encode.js';

const SECOND = 1_000_000_000n;
const GENESIS_TIME = 1_700_000_000n * SECOND;
export const GAS = 3_000_000n;

/** Parts of the genesis that differ between runs; fractions are decimals as text. */
export interface Settings {
  readonly downtimeFraction: string;
  readonly doubleSignFraction: string;
  readonly maxValidators: number;
  readonly unbondingSeconds: number;
}

function sections({ downtimeFraction, doubleSignFraction, maxValidators, unbondingSeconds }: Settings) {
  return {
    staking: {
      params: {
        unbonding_time: `${unbondingSeconds}s`,
        max_validators: maxValidators,
        max_entries: 3,
        historical_entries: 3,
        bond_denom: 'achr',
        min_commission_rate: '0.000000000000000000',
      },
    },
    slashing: {
      params: {
        signed_blocks_window: '4',
        min_signed_per_window: Buffer.from('0.500000000000000000').toString(),
        downtime_jail_duration: '5s',
        slash_fraction_double_sign: doubleSignFraction,
        slash_fraction_downtime: downtimeFraction,
      },
    },
    gov: {
      starting_proposal_id: '1',
      params: {
        min_deposit: [achr(1000n)],
        expedited_min_deposit: [achr(5000n)],
        max_deposit_period: '12s',
        voting_period: '9s',
        expedited_voting_period: '4s',
        quorum: '0.100000000000000000',
        threshold: '0.500000000000000000',
        expedited_threshold: '0.667000000000000000',
        veto_threshold: '0.334000000000000000',
        min_initial_deposit_ratio: '0.000000000000000000',
        proposal_cancel_ratio: '0.500000000000000000',
        proposal_cancel_dest: '',
        burn_vote_veto: true,
        min_deposit_ratio: '0.010000000000000000',
      },
    },
    upgrade: {},
    genutil: { gen_txs: [] },
  };
}

function genesisOf(settings: Settings, changeSections: NonNullable<More['sections']>): JsonObject {
  const document = devGenesis(crypto, {
    chainId: chain.chainId,
    time: toTimeNs(GENESIS_TIME),
    accounts: Array.from({ length: PEOPLE }, (_, index) => person(index)),
    validators: [],
  });
  const bank = {
    ...document.app_state.bank,
    balances: document.app_state.bank.balances.filter(({ coins }) => coins.some(({ amount }) => amount !== '0')),
  };
  return { ...document, app_state: changeSections({ ...document.app_state, ...sections(settings), bank }) };
}

type DevSections = ReturnType<typeof devGenesis>['app_state'];
/** Further parts of a chain: changes of its genesis, and an EVM. */
export interface More {
  readonly sections?: (appState: Pick<DevSections, 'bank' | 'evm' | 'feemarket'>) => Readonly<Record<string, unknown>>;
  readonly evm?: EvmEngineFactory;
}

export type Body = readonly Any[];

/** The state as one layer, instead of one layer for each block. */
function flat(state: StateReader, stores: readonly string[]): StateReader {
  return stateOf(stores.flatMap((store) => Array.from(state.range(store, {}), (entry) => ({ store, ...entry }))));
}

interface Member {
  readonly address: Uint8Array;
  readonly power: bigint;
}
type Members = ReadonlyMap<string, Member>;

function changed(before: Members, updates: readonly ValidatorUpdate[]): Members {
  const after = new Map(before);
  for (const { pubKey, power } of updates) {
    if (pubKey?.sum.case !== 'ed25519') throw new Error('a key of another type');
    const address = consensusAddress(pubKey.sum.value);
    if (power === 0n) after.delete(toHex(address));
    else after.set(toHex(address), { address, power });
  }
  return after;
}

/** Double signing `age` blocks ago by one of the validators of that block. */
export interface Offence {
  readonly validator: number;
  readonly age: number;
}

export interface Executed {
  readonly results: readonly ExecTxResult[];
  readonly events: readonly { readonly type: string; readonly attributes: readonly { key: string; value: string }[] }[];
}

export class PropertyChain {
  readonly app: Application;
  readonly founding: JsonObject;
  readonly genesis: GenesisDocument;
  readonly #contexts: Contexts;
  state: StateReader;
  /** State before the last block. */
  before: StateReader;
  height = 0n;
  time = GENESIS_TIME;
  /** Validator sets by height. */
  readonly #sets: Members[] = [];
  readonly #times: bigint[] = [];

  /** `document`: a genesis document that replaces the one built from `settings`. */
  constructor(
    readonly version: AppVersion,
    settings: Settings,
    document?: JsonObject,
    { sections: changeSections = (state) => state, evm }: More = {},
  ) {
    this.founding = document ?? genesisOf(settings, changeSections);
    const parsed = parseGenesis(this.founding);
    if (!parsed.ok) throw new Error(parsed.message);
    this.genesis = parsed.genesis;
    const options = evm === undefined ? {} : { evm };
    this.app = createApplication({ version, chain, crypto, ...options });
    this.#contexts = new Contexts({ version, chain, crypto, router: new MessageRouter(version), ...options });
    const { writes, validators } = this.app.initChain(this.genesis);
    this.state = stateOf(writes);
    this.before = this.state;
    this.height = this.genesis.initialHeight - 1n;
    this.time = this.genesis.time;
    const set = changed(new Map(), validators);
    for (const height of [this.height + 1n, this.height + 2n]) this.#sets[Number(height)] = set;
    this.#times[Number(this.height)] = this.time;
  }

  context(): Context {
    return this.#contexts.query(this.state, this.at());
  }

  /** A context of the next transaction, which writes to `store`. */
  delivering(store: StateStore): Context {
    this.#contexts.forget();
    const proposer = [...(this.#sets[Number(this.height)]?.values() ?? [])][0]?.address ?? new Uint8Array(20);
    const scope = new BlockScope(new Uint8Array(32), proposer, new GasMeter(undefined));
    return this.#contexts.of(this.at(), store, 'deliver', scope);
  }

  at() {
    return { chainId: chain.chainId, height: toHeight(this.height), time: toTimeNs(this.time) };
  }

  /** A transaction of account `from` whose signature is not checked. */
  tx(from: number, messages: Body, offset: bigint, granter = '', gas = GAS): Uint8Array {
    const found = getAccount(this.context(), bytesOf(person(from)));
    return encode(TxRawSchema, {
      bodyBytes: encode(TxBodySchema, { messages: [...messages] }),
      authInfoBytes: encode(AuthInfoSchema, {
        signerInfos: [
          {
            publicKey: {
              typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
              value: encode(PubKeySchema, { key: account(from).key }),
            },
            modeInfo: { sum: { case: 'single', value: { mode: SignMode.DIRECT } } },
            sequence: (found?.base.sequence ?? 0n) + offset,
          },
        ],
        fee: { amount: [achr(gas * 2n * SECOND)], gasLimit: gas, granter },
      }),
      signatures: [new Uint8Array(64)],
    });
  }

  /** Votes on the last block; `absent`: one bit for each validator of its set. */
  #votes(absent: number): readonly LastCommitVote[] {
    const set = this.#sets[Number(this.height)] ?? new Map();
    return [...set.values()].map(({ address, power }, index) => ({
      address,
      power,
      flag: (absent & (1 << index)) === 0 ? 'commit' : 'absent',
    }));
  }

  #misbehavior(offences: readonly Offence[]): readonly Misbehavior[] {
    return offences.flatMap(({ validator, age }) => {
      const height = Number(this.height) - age;
      const set = [...(this.#sets[height]?.values() ?? [])];
      const member = set[validator % Math.max(set.length, 1)];
      if (height < 1 || member === undefined) return [];
      return {
        kind: 'duplicate vote' as const,
        address: member.address,
        power: member.power,
        height: toHeight(BigInt(height)),
        time: toTimeNs(this.#times[height] ?? 0n),
        totalVotingPower: set.reduce((sum, { power }) => sum + power, 0n),
      };
    });
  }

  facts(seconds: bigint, absent: number, offences: readonly Offence[]): BlockFacts {
    const set = [...(this.#sets[Number(this.height) + 1]?.values() ?? [])];
    return {
      height: toHeight(this.height + 1n),
      time: toTimeNs(this.time + seconds * SECOND),
      chainId: chain.chainId,
      proposerAddress: set[Number(this.height) % Math.max(set.length, 1)]?.address ?? new Uint8Array(20),
      nextValidatorsHash: new Uint8Array(32),
      previousAppHash: new Uint8Array(32),
      lastCommitVotes: this.#votes(absent),
      misbehavior: this.#misbehavior(offences),
      lastCommitRound: 0,
    };
  }

  /** Executes one message on a copy of the state: returns `ok`, or codespace, code and text. */
  attempt({ typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>): string {
    try {
      const context = { ...this.context(), events: [] };
      context.router.find(typeUrl).handle(context, value);
      return 'ok';
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
    }
  }

  /** Index of the account that must sign a message; 0 if it is none of the first six. */
  signerOf({ typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>): number {
    try {
      const [first] = this.context().router.find(typeUrl).signers(value, chain.bech32Prefix);
      return Math.max(
        0,
        [0, 1, 2, 3, 4, 5].findIndex((index) => person(index) === first),
      );
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      return 0;
    }
  }

  /** Executes a block on the state `over` without changing the chain. */
  dryRun(facts: BlockFacts, txs: readonly Uint8Array[], over: StateReader = this.state) {
    const verified = new Set(txs.keys());
    const result = this.app.finalizeBlock(over, { ...facts, hash: new Uint8Array(32), txs, verified });
    if (result.kind !== 'executed') throw new Error(result.reason);
    return result;
  }

  block(facts: BlockFacts, txs: readonly Uint8Array[]): Executed {
    const result = this.dryRun(facts, txs);
    this.before = this.state;
    this.state = stateOf(result.writes, this.height % 6n === 0n ? flat(this.state, this.version.stores) : this.state);
    this.height += 1n;
    this.time = facts.time;
    this.#times.push(facts.time);
    this.#sets[Number(this.height) + 2] = changed(
      this.#sets[Number(this.height) + 1] ?? new Map(),
      result.results.validatorUpdates,
    );
    return { results: result.results.txResults, events: result.results.events };
  }

  /** Broken invariants with their reasons. */
  broken(): readonly string[] {
    return presentModules(this.version).flatMap(({ invariants = [] }) =>
      invariants.flatMap((one) => {
        const reason = one.check(this.context());
        return reason === undefined ? [] : [`${one.name}: ${reason}`];
      }),
    );
  }

  supply(): bigint {
    return getSupply(this.context(), 'achr');
  }

  /** Options for an export of the current state. */
  exporting() {
    return { version: this.version, chain, at: this.at(), founding: this.founding };
  }

  /** Answers to an empty request of every query. */
  askAll(): readonly unknown[] {
    return [...this.app.queryPaths].map((path) => this.app.query(this.state, this.at(), path, new Uint8Array(0)));
  }

  /** All rows of a state, as texts. */
  dump(state: StateReader = this.state): readonly string[] {
    return pairs(state, this.version);
  }
}
