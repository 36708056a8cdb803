/**
 * JSON-RPC errors with geth's codes and texts (v1.17 `rpc/errors.go`, `internal/ethapi/errors.go`), and the one
 * mapping from domain errors to them.
 */
import { JSONRPCErrorCode } from 'json-rpc-2.0';
import type { DomainError } from '../../core/errors.js';

/** JSON-RPC error object. `data`: revert data in hex, or a machine-readable hint. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: string | Readonly<Record<string, string>>;
}

/** geth's default error code. */
const SERVER_ERROR = -32000;
/** EIP-1474 "limit exceeded": the failure is temporary, and clients retry. */
const LIMIT_EXCEEDED = -32005;
/** geth's code for history that was pruned. */
const PRUNED_HISTORY = 4444;

export const PARSE_ERROR: RpcError = { code: JSONRPCErrorCode.ParseError, message: 'parse error' };
export const INVALID_REQUEST: RpcError = { code: JSONRPCErrorCode.InvalidRequest, message: 'invalid request' };
export const EMPTY_BATCH: RpcError = { code: JSONRPCErrorCode.InvalidRequest, message: 'empty batch' };
export const BATCH_TOO_LARGE: RpcError = { code: JSONRPCErrorCode.InvalidRequest, message: 'batch too large' };
/** geth's `errcodeTimeout`. */
const TIMED_OUT = -32002;
/** geth's `errcodeResponseTooLarge`. */
const TOO_LARGE = -32003;
export const RESPONSE_TOO_LARGE: RpcError = { code: TOO_LARGE, message: 'response too large' };
/**
 * The error for an exception of a handler. Its text is generic, because the exception's text may contain paths or
 * keys.
 */
export const HANDLER_CRASHED: RpcError = { code: JSONRPCErrorCode.InternalError, message: 'method handler crashed' };
export const NOTIFICATIONS_NOT_SUPPORTED: RpcError = {
  code: JSONRPCErrorCode.MethodNotFound,
  message: 'notifications not supported',
};
export const FILTER_NOT_FOUND: RpcError = { code: SERVER_ERROR, message: 'filter not found' };

/** The error for an unknown method. `reason`: why this node lacks it; without a reason the text is geth's. */
export function methodNotFound(method: string, reason?: string): RpcError {
  const message = `the method ${method} does not exist/is not available`;
  return { code: JSONRPCErrorCode.MethodNotFound, message: reason === undefined ? message : `${message}: ${reason}` };
}

/** The error for invalid parameters (code -32602). */
export function invalidParams(message: string): RpcError {
  return { code: JSONRPCErrorCode.InvalidParams, message };
}

/** The error for JSON that is not a request (code -32600). */
export function invalidRequest(message: string): RpcError {
  return { code: JSONRPCErrorCode.InvalidRequest, message };
}

/** A general error with geth's code -32000. */
export function serverError(message: string): RpcError {
  return { code: SERVER_ERROR, message };
}

/** The error for a response above a limit; `reason` names the limit. */
export function responseTooLarge(reason: string): RpcError {
  return { code: TOO_LARGE, message: `response too large: ${reason}` };
}

/** The error for calls of a batch that had not started when the batch timed out: geth's text with our limit. */
export function batchTimedOut(milliseconds: number): RpcError {
  return { code: TIMED_OUT, message: `request timed out: limit ethBatchMs (${milliseconds}) exceeded` };
}

/** The error for a temporary failure (code -32005 of EIP-1474), after which clients retry. */
export function limitExceeded(message: string): RpcError {
  return { code: LIMIT_EXCEEDED, message };
}

/** Converts a domain error. The switch is exhaustive: a new code without a case does not compile. */
export function rpcErrorOf(error: DomainError): RpcError {
  switch (error.code) {
    case 'height-not-positive':
    case 'height-in-future':
    case 'no-results-for-height':
      return serverError('header not found');
    case 'height-pruned':
      return { code: PRUNED_HISTORY, message: 'pruned history unavailable' };
    case 'state-pruned':
      return serverError(
        `required historical state unavailable: that of block ${error.height}, the oldest is that of ${error.lowest}`,
      );
    case 'tx-not-found':
      return serverError('transaction not found');
    case 'tx-in-cache':
      return serverError('already known');
    case 'tx-too-large':
      return serverError(`oversized data: transaction size ${error.bytes}, limit ${error.maximum}`);
    case 'mempool-full':
      return serverError('txpool is full');
    case 'replacement-underpriced':
      return serverError('replacement transaction underpriced');
    case 'busy':
      return limitExceeded(`${error.what} is busy`);
    case 'tx-refused':
    case 'no-validator':
    case 'bad-query':
      return serverError(error.message);
    case 'invalid-params':
      return invalidParams(error.message);
    case 'limit-exceeded':
      return limitExceeded(`limit ${error.limit} (${error.maximum}) exceeded`);
    case 'timeout':
      return serverError(`execution aborted (timeout = ${error.milliseconds / 1000}s)`);
    case 'engine-unreachable':
      return serverError(`the consensus engine does not answer: ${error.reason}`);
    case 'halted':
      return serverError(`node is halted: ${error.reason}`);
    case 'storage-failed':
      return serverError('storage failed');
  }
}
