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
 * Keepers: state that the application itself reads, each provided by one module. An application without the module
 * lacks the keeper.
 */
export interface Keepers {
  readonly accounts: AccountKeeper;
  /** Current consensus parameters; undefined before genesis stored them (SDK `baseapp.ParamStore`). */
  readonly consensusParams: (context: Pick<Context, 'store'>) => ConsensusParams | undefined;
  readonly upgrades: UpgradeKeeper;
  readonly evm: EvmKeeper;
}

/** Access to the scheduled upgrade, and to modules that upgrades added. */
export interface UpgradeKeeper {
  /** Scheduled upgrade plan; undefined when there is none. */
  plan(store: Pick<StateReader, 'get'>): { readonly name: string; readonly height: bigint } | undefined;
  hasModule(store: Pick<StateReader, 'get'>, name: string): boolean;
}

/** Access to account sequences; addresses have 20 bytes. */
export interface AccountKeeper {
  /** Sequence (nonce) of an account's next transaction; undefined when there is no account. */
  sequence(context: Context, address: Uint8Array): bigint | undefined;
  /** Sets the sequence of an account; changes nothing when there is no account. */
  setSequence(context: Context, address: Uint8Array, sequence: bigint): void;
}

/** Access to EVM state, executions without persistent effects, and mempool rules for Ethereum transactions. */
export interface EvmKeeper {
  account(context: Context, address: Uint8Array): EvmAccount;
  /** Code of an account; empty when it has none. */
  code(context: Context, address: Uint8Array): Uint8Array;
  /** Code with this keccak256 hash; undefined when no account ever had it. */
  codeOf(context: Context, hash: Uint8Array): Uint8Array | undefined;
  /** Value of a slot, 32 bytes each. */
  storage(context: Context, address: Uint8Array, slot: Uint8Array): Uint8Array;
  /** Reads at most `rows` rows of the accounts that exist in the EVM, starting at `place`. */
  dumpPart(context: Context, place: PartStart | undefined, rows: number): DumpPart;
  /**
   * Writes a block's hash into the result data of a successful Ethereum transaction, over a placeholder of 32 bytes.
   * `time`: block time.
   */
  writeBlockHash(data: Uint8Array, time: TimeNs, hash: Uint8Array): void;
  /**
   * Inputs for the next Ethereum header's hash: the parent hash (32 bytes), and the mix hash when no PREVRANDAO was
   * set. Undefined on chains that use CometBFT block hashes.
   */
  headerHashing(
    context: Pick<Context, 'store' | 'version'>,
  ): { readonly parentHash: Uint8Array; readonly prevRandao: Uint8Array } | undefined;
  /** Base fee against which admission checks prices on this state, in wei. */
  admissionBaseFee(context: Context): bigint;
  /** Applies the base fee that a dev command set for the block at `height` to a check state. */
  assumeBaseFeeOf(context: Context, height: bigint): void;
  /** Base fee of the block after this state, in wei. */
  nextBaseFee(context: Context): bigint;
  /** Lowest gas price, base fee included, that the fee market accepts, in wei. */
  minGasPrice(context: Context): bigint;
  call(
    context: Context,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    gasCap?: bigint,
  ): EthereumCallResult;
  /** Estimates gas. `budget`: total gas of all attempts; the result is `timeout` when it is used up. */
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
  /** Executes `eth_simulateV1`; yields after each call, so that the caller may stop between calls. */
  simulate(context: Context, simulation: Simulation): Generator<undefined, SimulatedBlocks>;
  /** Executes calls one after another; yields each trace and each call, so that the caller may stop there. */
  sequenceCalls(context: Context, sequence: CallSequence): Generator<SequenceStep, SequencedCalls>;
  /** Reads at most `rows` rows for the state tries, starting at `place`. */
  statePart(context: Context, place: PartStart | undefined, rows: number): StatePart;
  /** Accounts whose rows changed between blocks; undefined when any account may have changed. */
  changedAccounts(
    context: Context,
    owners: ReadonlyMap<string, EvmAddressOf>,
    written: readonly RowName[],
    others: readonly Uint8Array[],
  ): readonly ChangedAccount[] | undefined;
  proof(context: Context, tries: StateTries, address: Uint8Array, slots: readonly Uint8Array[]): AccountProof;
  /** All slots of a contract. */
  slots(context: Context, address: Uint8Array): readonly StorageSlot[];
  /** Traces an Ethereum transaction on the unmetered store of `context`, without persistent effects. */
  traceTransaction(context: Context, tx: Tx, options: string): EvmTrace;
  /**
   * Rechecks pending transactions of one sender in nonce order after a block. Keeps the amounts that passing ones
   * spend.
   */
  recheck(context: Context, sender: Uint8Array, transactions: readonly EthereumTransaction[]): readonly boolean[];
  /** Returns to the sender what the check of a transaction deducted. */
  restoreSpent(context: Context, sender: Uint8Array, transaction: EthereumTransaction): void;
}
