import type { AccessListResult, EstimateResult } from '../../ethereum/api.js';
import type { EthereumBlockOverrides } from '../../ethereum/call.js';
import type { EthereumCallResult } from '../../ethereum/api.js';
import type { EthereumCall } from '../../ethereum/call.js';
import type { CallSequence, SequencedCalls, SequenceStep } from '../../ethereum/call-sequence.js';
import type { SimulatedBlocks, Simulation } from '../../ethereum/simulation.js';
import type {
  AccountProof,
  DumpPart,
  ChangedAccount,
  PartStart,
  StatePart,
  StateTries,
  StorageSlot,
} from '../../ethereum/state-proof.js';
import type { EvmAddressOf } from './engine-host.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import type { EvmAccount, EvmOverride } from '../../evm/state.js';
import type { EvmTrace } from '../../evm/outcome.js';
import type { TimeNs } from '../../primitives.js';
import type { ConsensusParams } from '../../proto/tendermint/types/params_pb.js';
import type { RowName, StateReader } from '../../state/state.js';
import type { Context } from './context.js';
import type { Tx } from './tx.js';

/**
 * Parts of the state that the application itself reads, each kept by one module (a keeper in the Cosmos SDK). An
 * application without the module has no such keeper.
 */
export interface Keepers {
  readonly accounts: AccountKeeper;
  /** Consensus parameters in force; undefined before genesis stored them (SDK `baseapp.ParamStore`). */
  readonly consensusParams: (context: Pick<Context, 'store'>) => ConsensusParams | undefined;
  readonly upgrades: UpgradeKeeper;
  readonly evm: EvmKeeper;
}

/** The scheduled upgrade, and modules that upgrades added. */
export interface UpgradeKeeper {
  /** Undefined without a plan. */
  plan(store: Pick<StateReader, 'get'>): { readonly name: string; readonly height: bigint } | undefined;
  hasModule(store: Pick<StateReader, 'get'>, name: string): boolean;
}

/** Sequences of accounts; addresses have 20 bytes. */
export interface AccountKeeper {
  /** Sequence (nonce) that the next transaction of an account must have; undefined when there is no account. */
  sequence(context: Context, address: Uint8Array): bigint | undefined;
  /** Sets the sequence of an account; changes nothing when there is no account. */
  setSequence(context: Context, address: Uint8Array, sequence: bigint): void;
}

/**
 * The state as the EVM sees it, executions without lasting effects, and the mempool's rules of Ethereum transactions.
 */
export interface EvmKeeper {
  account(context: Context, address: Uint8Array): EvmAccount;
  /** Empty when the account has no code. */
  code(context: Context, address: Uint8Array): Uint8Array;
  /** The code with this keccak256 hash; undefined where no account has had it. */
  codeOf(context: Context, hash: Uint8Array): Uint8Array | undefined;
  /** 32 bytes; `slot` has 32 bytes, too. */
  storage(context: Context, address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** At most `rows` rows of every account that exists to the EVM, from `place` on. */
  dumpPart(context: Context, place: PartStart | undefined, rows: number): DumpPart;
  /**
   * Writes the hash of a block into the data of the result of an Ethereum transaction that succeeded in it; the data
   * has 32 other bytes in its place. `time`: of the block.
   */
  writeBlockHash(data: Uint8Array, time: TimeNs, hash: Uint8Array): void;
  /**
   * Facts for the hash of the next Ethereum header: the hash of the block before (32 bytes), and the mix hash of a
   * block for which no PREVRANDAO was set. Undefined on chains whose blocks have the hash of the consensus block.
   */
  headerHashing(
    context: Pick<Context, 'store' | 'version'>,
  ): { readonly parentHash: Uint8Array; readonly prevRandao: Uint8Array } | undefined;
  /** Base fee with which admission compares prices after the state of `context`, wei. */
  admissionBaseFee(context: Context): bigint;
  /** Lets the state of a check have the base fee that commands of dev mode set for the block at `height`. */
  assumeBaseFeeOf(context: Context, height: bigint): void;
  /** Base fee of the block after the state of `context`, wei. */
  nextBaseFee(context: Context): bigint;
  /** Lowest gas price, base fee included, that the fee market accepts, wei. */
  minGasPrice(context: Context): bigint;
  call(
    context: Context,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    gasCap?: bigint,
  ): EthereumCallResult;
  /** `budget`: gas for all attempts together; the result is `timeout` when it is used up. */
  estimateGas(
    context: Context,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block?: EthereumBlockOverrides,
    budget?: bigint,
  ): EstimateResult;
  createAccessList(context: Context, call: EthereumCall, overrides: readonly EvmOverride[]): AccessListResult;
  traceCall(
    context: Context,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    options: string,
  ): EvmTrace;
  /** `eth_simulateV1`; yields after each call, so that the caller may stop between any two. */
  simulate(context: Context, simulation: Simulation): Generator<undefined, SimulatedBlocks>;
  /** Calls one after another; yields each trace and each call, so that the caller may stop there. */
  sequenceCalls(context: Context, sequence: CallSequence): Generator<SequenceStep, SequencedCalls>;
  /** At most `rows` rows of what the tries of a state are made of, from `place` on. */
  statePart(context: Context, place: PartStart | undefined, rows: number): StatePart;
  /** The accounts whose rows blocks wrote, and others; undefined when each account may have changed. */
  changedAccounts(
    context: Context,
    owners: ReadonlyMap<string, EvmAddressOf>,
    written: readonly RowName[],
    others: readonly Uint8Array[],
  ): readonly ChangedAccount[] | undefined;
  proof(context: Context, tries: StateTries, address: Uint8Array, slots: readonly Uint8Array[]): AccountProof;
  /** All slots of a contract. */
  slots(context: Context, address: Uint8Array): readonly StorageSlot[];
  /** Traces an Ethereum transaction over the unmetered store of `context`, without lasting effects. */
  traceTransaction(context: Context, tx: Tx, options: string): EvmTrace;
  /**
   * Checks again, after a block, the waiting transactions of one sender in order of their nonces. Keeps the amounts
   * that those which pass take from the sender.
   */
  recheck(context: Context, sender: Uint8Array, transactions: readonly EthereumTransaction[]): readonly boolean[];
  /** Returns to the sender the amount that the check of a transaction took. */
  forgetSpent(context: Context, sender: Uint8Array, transaction: EthereumTransaction): void;
}
