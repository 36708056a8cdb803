/** Runs a sequence of calls (`src/core/ethereum/call-sequence.ts`). */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import type { CallSequence, CallSequenceResult, TracedCall } from '../../../core/ethereum/call-sequence.js';
import { decodeTransaction } from '../../../core/ethereum/transaction-codec.js';
import { recoverSender } from '../../../core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../core/ethereum/transaction.js';
import type { Height } from '../../../core/primitives.js';
import { rpcErrorOf, serverError } from '../errors.js';
import type { MethodContext } from '../method.js';
import type { TransactionArguments } from '../params/call-arguments.js';
import type { Resolved } from '../resolve.js';
import { callOf } from './calls.js';
import { refusalError } from './simulate.js';

/** The outcome of each call, including EVM reverts and halts, and the traces. */
export type SequenceDone = Extract<CallSequenceResult, { readonly kind: 'done' }>;

/**
 * Runs a sequence on the state after block `height`, without lasting effects. Errors: those of
 * `EthereumApi.callSequence`, such as a missing state; of a refused simulation (`refusalError`), such as too many
 * calls; -32000 `execution aborted (timeout)`.
 */
export async function runSequence(
  { api }: Pick<MethodContext, 'api'>,
  sequence: CallSequence,
  height: Height,
): Promise<Resolved<SequenceDone>> {
  const outcome = await api.callSequence(sequence, height);
  if (!outcome.ok) return { ok: false, error: rpcErrorOf(outcome.error) };
  switch (outcome.value.kind) {
    case 'done':
      return { ok: true, value: outcome.value };
    case 'refused':
      return { ok: false, error: refusalError(outcome.value) };
    case 'timeout':
      return { ok: false, error: serverError('execution aborted (timeout)') };
  }
}

/** Converts request arguments to a call of a sequence. */
export function tracedCall(
  api: EthereumApi,
  args: TransactionArguments,
  tracers: readonly string[] = [],
): Resolved<TracedCall> {
  const call = callOf(api, args);
  if (!call.ok) return call;
  return { ok: true, value: { ...call.value, tracers } };
}

/** A signed transaction as a call of a sequence. */
export interface SignedCall {
  readonly hash: Uint8Array;
  readonly transaction: EthereumTransaction;
  readonly call: TracedCall;
}

/** Decodes a signed transaction; rejects one of another chain, or with an invalid signature. */
export function signedCall(
  { api, crypto }: Pick<MethodContext, 'api' | 'crypto'>,
  raw: Uint8Array,
  tracers: readonly string[] = [],
): Resolved<SignedCall> {
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) return { ok: false, error: serverError(decoded.message) };
  const { transaction } = decoded;
  const sender = recoverSender(crypto, transaction, api.chainId);
  if (!sender.ok) return { ok: false, error: serverError(sender.message) };
  const { to, value, data, nonce, gasLimit: gas } = transaction;
  const common = { from: sender.sender, to, value, data, nonce, gas, tracers };
  return { ok: true, value: { hash: crypto.keccak256(raw), transaction, call: { ...common, ...feesOf(transaction) } } };
}

function feesOf(transaction: EthereumTransaction): Partial<TracedCall> {
  switch (transaction.type) {
    case 0:
      return { gasPrice: transaction.gasPrice };
    case 1: {
      // a traced call with a gas price cannot have an access list, so set both EIP-1559 fees to the price
      const { gasPrice, accessList } = transaction;
      return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice, accessList };
    }
    case 2: {
      const { maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
      return { maxFeePerGas, maxPriorityFeePerGas, accessList };
    }
    case 3: {
      const { maxFeePerGas, maxPriorityFeePerGas, accessList, blobs } = transaction;
      const { hashes: blobHashes, maxFeePerBlobGas } = blobs;
      return { maxFeePerGas, maxPriorityFeePerGas, accessList, blobHashes, maxFeePerBlobGas };
    }
    case 4: {
      const { maxFeePerGas, maxPriorityFeePerGas, accessList, authorizations } = transaction;
      return { maxFeePerGas, maxPriorityFeePerGas, accessList, authorizations };
    }
  }
}
