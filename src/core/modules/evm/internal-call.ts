/**
 * Contract calls by modules within a Cosmos transaction (cosmos/evm v0.6 `x/vm/keeper/call_evm.go`). The transaction
 * pays for EVM gas and store accesses.
 */
import type { EvmAccountChange, EvmLog, EvmOutcome, EvmResult } from '../../evm/outcome.js';
import type { EvmState } from '../../evm/state.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { BlockScope } from '../../sdk/module/block-scope.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { MeteredStore, unmetered } from '../../sdk/module/gas.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { plainError, SdkError, sdkErrors, type RegisteredError, wrapped } from '../../sdk/module/sdk-error.js';
import { getAccount } from '../auth/accounts.js';
import { evmBlock } from './block.js';
import { freeTransaction } from './free-transaction.js';
import { payForChanges, withCreatedAccounts } from './internal-changes.js';
import { chargeSettings } from './internal-gas.js';
import { ChargedReads } from './internal-reads.js';
import { contractKind, precompileCalls } from './precompiles/active.js';
import { evmState } from './state.js';
import { vmErrorOf } from './vm-error.js';

/** Gas limit of such a call (cosmos/evm v0.6 `server/config`). */
const CALL_GAS = 25_000_000n;
const VM_EXECUTION: RegisteredError = { codespace: 'evm', code: 10, text: 'evm transaction execution failed' };

export interface InternalCall {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly data: Uint8Array;
  /** True when the call's changes are written; false for a query. */
  readonly writes: boolean;
  /** Context with the call's state, when it differs from the one that pays for reading parameters. */
  readonly state?: Context;
}

export interface InternalResult {
  readonly output: Uint8Array;
  readonly logs: readonly EvmLog[];
  readonly gasUsed: bigint;
}

/** Calls a contract. Throws SdkError on failure, which consumes all gas of the transaction. */
export function callContract(
  context: Context,
  { from, to, data, writes, state = context }: InternalCall,
): InternalResult {
  const { evm } = context;
  if (evm === undefined) throw new SdkError(sdkErrors.notSupported, 'this process has no EVM');
  const account = getAccount(context, from);
  if (account === undefined)
    throw new SdkError(
      sdkErrors.unknownAddress,
      `account ${encodeAddress(context.chain.bech32Prefix, from)} does not exist`,
    );
  chargeSettings(context);
  const free: Context = withStore(state, unmetered(state.store));
  const calls = precompileCalls(free, [], { gas: state.gas, paysStores: state.store instanceof MeteredStore });
  const reads = new ChargedReads(context, state, (address) => contractKind(context, address));
  reads.enter(from, to);
  // Clears the cache, so that the engine rereads accounts and the transaction pays for that.
  evm.clear();
  const scope = new BlockScope(context.block.hash, context.block.proposer, context.gas);
  const transaction = freeTransaction({ from, to, nonce: account.base.sequence, gasLimit: CALL_GAS, data });
  const outcome = ((): EvmOutcome => {
    try {
      return evm
        .enter(scope, () => evmBlock(free), calls)
        .callWithEffects(meteredState(context, evmState(free, calls), reads), transaction, { fees: 'none' });
    } finally {
      // Clears the cache, because the transaction may fail later.
      evm.clear();
    }
  })();
  if (outcome.kind === 'refused') throw plainError(outcome.detail);
  const { result, changes } = outcome;
  requireSuccess(context, result, calls?.halted);
  if (writes) {
    const made = withCreatedAccounts(free, changes);
    commit(state, calls?.settle(made) ?? made);
  }
  context.gas.consume(result.gasUsed, 'apply evm message');
  return { output: result.output, logs: result.logs, gasUsed: result.gasUsed };
}

function commit(context: Context, changes: readonly EvmAccountChange[]): void {
  try {
    payForChanges(context, changes);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, 'failed to commit stateDB');
  }
}

/** Throws unless the call succeeded; `halted` as in `vmErrorOf`. */
function requireSuccess(context: Context, result: EvmResult, halted?: string): void {
  if (result.status === 'success') return;
  if (context.gas.limit !== undefined) context.gas.replace(context.gas.limit);
  throw new SdkError(VM_EXECUTION, vmErrorOf(result, halted));
}

/** State whose reads the module pays for, exactly when the engine reads: the cache may lack what the peer rereads. */
function meteredState(context: Context, state: EvmState, reads: ChargedReads): EvmState {
  const { consumed } = context.gas;
  return {
    ...state,
    chargeRead: (read) => reads.charge(read),
    restarted() {
      context.gas.replace(consumed);
      reads.restarted();
      state.restarted?.();
    },
  };
}
