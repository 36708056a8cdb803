/**
 * Executes a `MsgEthereumTx` that passed the ante rules: runs the engine, writes its changes, refunds unused gas, and
 * creates the events and response of cosmos/evm v0.6 (`x/vm/keeper/msg_server.go`,
 * `x/vm/keeper/state_transition.go`). A failed execution is a successful Cosmos transaction with `vm_error`.
 */
import { FEE_COLLECTOR } from '../auth/accounts.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import { branch } from '../../sdk/module/branch.js';
import { hex } from '../../bytes/hex.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import type { MessageHandler } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { plainError, SdkError, sdkErrors, wrapped } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { bloomWithLogs } from '../../ethereum/bloom.js';
import { effectiveGasPrice, toEvmTransaction } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { isUnsignedBy } from '../../ethereum/unsigned.js';
import type { EvmAccountChange, EvmLog, EvmResult } from '../../evm/outcome.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import { checksumAddress } from '../../keys/address.js';
import { getBaseFee, getParams as getFeeMarketParams } from '../feemarket/params.js';
import { ethereumAnte } from './ante/chain.js';
import { applyChanges } from './apply-changes.js';
import { evmBlock } from './block.js';
import { evmModuleAddress, moveCoins } from './coins.js';
import { type EthereumMessage, MESSAGE_URL, readEthereumMessage } from './ethereum-message.js';
import { executionRules } from './execution-rules.js';
import { precompileCalls } from './precompiles/active.js';
import { callPostTxHooks } from './post-processing.js';
import { encodeResponse } from './response.js';
import { evmState } from './state.js';
import { vmErrorOf } from './vm-error.js';

/** Error prefix for a transaction that is not applied (cosmos/evm v0.6). */
const NOT_APPLIED = 'failed to apply transaction: failed to apply ethereum core message';

export const ethereumTx: MessageHandler = {
  typeUrl: MESSAGE_URL,
  responseTypeUrl: '/cosmos.evm.vm.v1.MsgEthereumTxResponse',
  signers: (value, prefix) => [encodeAddress(prefix, readEthereumMessage(value).from)],
  validate: (value, rules) => ethereumAnte.of(rules).validate(readEthereumMessage(value)),
  handle: execute,
};

function execute(context: Context, value: Uint8Array): Uint8Array {
  const message = readEthereumMessage(value);
  const { transaction, from } = message;
  const hash = message.hash(context.crypto);
  const { tally } = context.block;
  const index = tally.ethereumTransactions;
  const { result, gasUsed, vmError, logs, touched } = transactWithHooks(context, message);
  refund(context, from, transaction, gasUsed);

  context.block.countEthereumTransaction(
    logs.length,
    logs.length === 0 ? tally.bloom : bloomWithLogs(context.crypto, tally.bloom, logs),
    touched.slice(0, FIXED_LIMITS.touchedAddresses),
  );
  context.gas.replace(gasUsed);
  emitEvents(context, transaction, from, { hash, index, gasUsed, vmError });
  return encodeResponse(context, {
    hash,
    logs,
    output: result.output,
    vmError,
    gasUsed,
    maxUsedGas: result.gasUsed + result.gasRefunded,
    index,
    firstLog: tally.logs,
  });
}

interface Executed {
  readonly result: EvmResult;
  /** Gas that the sender pays. */
  readonly gasUsed: bigint;
  /** Empty on success. */
  readonly vmError: string;
  readonly logs: readonly EvmLog[];
  readonly touched: readonly Uint8Array[];
}

/** Executes and calls the hooks, which may revert the transaction. */
function transactWithHooks(context: Context, message: EthereumMessage): Executed {
  const { transaction, from: sender } = message;
  const listeners = versionOf(context).hooks.ethereum.filter(
    ({ hears }) => hears?.(context, { transaction, sender }) !== false,
  );
  if (listeners.length === 0) return transact(context, transaction, sender);
  const attempted = branch(context);
  const executed = transact(attempted.context, transaction, sender);
  const { result, gasUsed, vmError, logs } = executed;
  const refusal = callPostTxHooks(context, listeners, attempted, {
    transaction,
    sender,
    hash: message.hash(context.crypto),
    index: context.block.tally.ethereumTransactions,
    status: vmError === '' ? 'success' : 'failed',
    gasUsed,
    logs,
    created: result.created,
  });
  return refusal === undefined ? executed : { ...executed, vmError: refusal, logs: [] };
}

/**
 * Executes and writes the changes. Throws SdkError when the engine refuses, which after the ante rules happens only
 * on overflows.
 */
function transact(context: Context, transaction: EthereumTransaction, from: Uint8Array): Executed {
  const { evm } = context;
  if (evm === undefined) throw new SdkError(sdkErrors.notSupported, 'this process has no EVM');
  const calls = precompileCalls(context);
  const engine = evm.enter(context.block, () => evmBlock(context), calls);
  const outcome = engine.transact(evmState(context, calls), toEvmTransaction(context.crypto, transaction, from), {
    // Fee mode 'none' permits senders with code; the ante rules have done the other checks that it skips.
    fees: isUnsignedBy(transaction, from) ? 'none' : 'host',
  });
  // Charges the complete gas limit until all is written: a failure before that is not refunded.
  context.gas.replace(transaction.gasLimit);
  if (outcome.kind === 'refused') throw plainError(`${NOT_APPLIED}: ${outcome.detail}`);
  const { result, changes, touched } = outcome;
  const kept = result.status === 'success' ? changes : executionRules.of(context).keptOfFailed(changes);
  if (kept !== undefined) commit(context, calls?.settle(kept) ?? kept);
  else if (changes.length > 0) evm.clear();
  const gasUsed = chargedGas(context, transaction, result.gasUsed);
  return { result, gasUsed, vmError: vmErrorOf(result, calls?.halted), logs: result.logs, touched };
}

/** Writes the changes; throws for a module account, which may not receive coins. */
function commit(context: Context, changes: readonly EvmAccountChange[]): void {
  try {
    applyChanges(context, changes);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, `${NOT_APPLIED}: failed to commit stateDB`);
  }
}

/** Gas to pay: what was used, but at least the fee market's fraction of the limit. */
function chargedGas(context: Context, { gasLimit }: EthereumTransaction, used: bigint): bigint {
  const minimum = (gasLimit * getFeeMarketParams(context).minGasMultiplier) / DEC_ONE;
  return used > minimum ? used : minimum;
}

/** Refunds the fee of unused gas. The engine rereads both accounts afterwards. */
function refund(context: Context, from: Uint8Array, transaction: EthereumTransaction, gasUsed: bigint): void {
  const collector = moduleAddress(context.crypto, FEE_COLLECTOR);
  moveCoins(
    context,
    collector,
    from,
    (transaction.gasLimit - gasUsed) * effectiveGasPrice(transaction, getBaseFee(context)),
  );
  for (const address of [from, collector, evmModuleAddress(context)]) context.evm?.forget(address);
}

interface Outcome {
  readonly hash: string;
  readonly index: number;
  readonly gasUsed: bigint;
  readonly vmError: string;
}

function emitEvents(
  context: Context,
  { type, to, value }: EthereumTransaction,
  from: Uint8Array,
  { hash, index, gasUsed, vmError }: Outcome,
): void {
  context.events.push(
    abciEvent('ethereum_tx', [
      ['amount', value.toString()],
      ['ethereumTxHash', hash],
      ['txIndex', index.toString()],
      ['txGasUsed', gasUsed.toString()],
      ...(context.txBytes.length === 0 ? [] : [['txHash', hex(context.crypto.sha256(context.txBytes))] as const]),
      ...(to === undefined ? [] : [['recipient', checksumAddress(context.crypto, to)] as const]),
      ...(vmError === '' ? [] : [['ethereumTxFailed', vmError] as const]),
    ]),
    abciEvent('message', [
      ['module', 'evm'],
      ['sender', `0x${hex(from)}`],
      ['txType', type.toString()],
    ]),
  );
}
