/**
 * JSON-RPC errors, and the one mapping from domain errors to CometBFT's texts (v0.38 `rpc/jsonrpc/types/types.go`).
 */
import type { DomainError } from '../../core/errors.js';

/** JSON-RPC error object; clients match the text in `data`. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/** The error for a body that is not JSON; `reason` describes the problem. */
export function parseError(reason: string): RpcError {
  return { code: -32700, message: 'Parse error. Invalid JSON', data: `error unmarshaling request: ${reason}` };
}

/** The error for JSON that is not a request. */
export function invalidRequest(data: string): RpcError {
  return { code: -32600, message: 'Invalid Request', data };
}

export const METHOD_NOT_FOUND: RpcError = { code: -32601, message: 'Method not found' };

/** The error for invalid parameters. */
export function invalidParams(data: string): RpcError {
  return { code: -32602, message: 'Invalid params', data };
}

/** An internal error; `data` goes to the client. */
export function internalError(data: string): RpcError {
  return { code: -32603, message: 'Internal error', data };
}

/** Converts a domain error. The switch is exhaustive: a new code without a case does not compile. */
export function rpcErrorOf(error: DomainError): RpcError {
  switch (error.code) {
    case 'height-not-positive':
      return internalError(`height must be greater than 0, but got ${error.height}`);
    case 'height-in-future':
      return internalError(
        `height ${error.height} must be less than or equal to the current blockchain height ${error.head}`,
      );
    case 'height-pruned':
    case 'state-pruned':
      return internalError(`height ${error.height} is not available, lowest height is ${error.lowest}`);
    case 'no-results-for-height':
      return internalError(`could not find results for height #${error.height}`);
    case 'tx-not-found':
      return internalError(`tx (${error.hash}) not found`);
    case 'tx-in-cache':
      return internalError('tx already exists in cache');
    case 'tx-refused':
      return internalError(error.message);
    case 'tx-too-large':
      return internalError(`Tx too large. Max size is ${error.maximum}, but got ${error.bytes}`);
    case 'mempool-full':
      return internalError(
        `mempool is full: number of txs ${error.txs} (max: ${error.maximumTxs}), total txs bytes ${error.bytes} (max: ${error.maximumBytes})`,
      );
    case 'replacement-underpriced':
      return internalError('replacement transaction underpriced');
    case 'busy':
      return internalError(`${error.what} is busy`);
    case 'bad-query':
      return internalError(error.message);
    case 'invalid-params':
      return invalidParams(error.message);
    case 'limit-exceeded':
      return internalError(`limit ${error.limit} (${error.maximum}) exceeded`);
    case 'timeout':
      return internalError(`timed out after ${error.milliseconds} ms`);
    case 'no-validator':
      return internalError(error.message);
    case 'engine-unreachable':
      return internalError(`the consensus engine does not answer: ${error.reason}`);
    case 'halted':
      return internalError(`node is halted: ${error.reason}`);
    case 'storage-failed':
      return internalError('storage failed');
  }
}
