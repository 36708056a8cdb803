/**
 * gRPC status codes, and the mapping from domain errors to them. The texts are those of the Go node, because clients
 * match them (cosmos-sdk v0.53 `baseapp/grpcserver.go`).
 */
import type { DomainError } from '../../core/errors.js';
import type { QueryResult } from '../../core/application-requests.js';
import { prunedStateText } from '../../core/sdk/module/query-error.js';
import { panicError, type RegisteredError, sdkErrors } from '../../core/sdk/module/sdk-error.js';

/** Status codes by Go's names (google.rpc.Code). */
export const STATUS = {
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export type StatusCode = (typeof STATUS)[keyof typeof STATUS];

/** A failed call: a status code and the error text. */
export interface Refusal {
  readonly ok: false;
  readonly code: StatusCode;
  readonly message: string;
  /** Text and SDK code in `abci_query`, if they differ from those derived from the status. */
  readonly abci?: { readonly text: string; readonly code: 6 | 18 };
}

/** An error with a gRPC status code and a text. */
export function refusal(code: StatusCode, message: string): Refusal {
  return { ok: false, code, message };
}

/**
 * A registered SDK error, which has the gRPC status Unknown and a text such as `codespace sdk code 9: unknown
 * address: why`.
 */
export function registeredError({ codespace, code, text }: RegisteredError, detail = ''): Refusal {
  const why = detail === '' ? '' : `: ${detail}`;
  return {
    ...refusal(STATUS.unknown, `codespace ${codespace} code ${code}: ${text}${why}`),
    abci: { text: detail === '' ? text : `${detail}: ${text}`, code: 6 },
  };
}

/** The error for a request that does not decode: grpc-go's code, without the parser's text. */
export function malformed(typeName: string): Refusal {
  return {
    ...refusal(STATUS.internal, `grpc: error unmarshalling request: cannot decode ${typeName}`),
    abci: { text: `cannot decode ${typeName}`, code: 18 },
  };
}

/** The error of a query. `head`: height of the newest block, which the SDK names when the state is pruned. */
export function refusalAtHead(error: DomainError, head: bigint): Refusal {
  if (error.code !== 'state-pruned') return refusalOf(error);
  return registeredError(sdkErrors.notFound, prunedStateText(error.height, head));
}

/** Converts a domain error. The switch is exhaustive: a new code without a case does not compile. */
export function refusalOf(error: DomainError): Refusal {
  switch (error.code) {
    case 'height-not-positive':
      return registeredError(sdkErrors.invalidRequest, 'cannot query with height < 0; please provide a valid height');
    case 'height-in-future':
      return registeredError(
        sdkErrors.invalidHeight,
        'cannot query with height in the future; please provide a valid height',
      );
    case 'height-pruned':
    case 'state-pruned':
      return refusal(STATUS.unknown, `height ${error.height} is not available, lowest height is ${error.lowest}`);
    case 'no-results-for-height':
      return refusal(STATUS.notFound, `could not find results for height #${error.height}`);
    case 'tx-not-found':
      return refusal(STATUS.notFound, `tx not found: ${error.hash}`);
    case 'tx-in-cache':
      return registeredError(sdkErrors.txInMempool);
    case 'tx-refused':
      return refusal(STATUS.invalidArgument, error.message);
    case 'tx-too-large':
      return registeredError(sdkErrors.txTooLarge, `${error.bytes} bytes, at most ${error.maximum}`);
    case 'mempool-full':
      return registeredError(sdkErrors.mempoolFull);
    case 'replacement-underpriced':
      return refusal(STATUS.unknown, 'replacement transaction underpriced');
    case 'busy':
      return refusal(STATUS.unavailable, `${error.what} is busy`);
    case 'bad-query':
      return refusal(STATUS.internal, `failed to search for txs: ${error.message}`);
    case 'invalid-params':
      return refusal(STATUS.invalidArgument, error.message);
    case 'limit-exceeded':
      return refusal(STATUS.resourceExhausted, `limit ${error.limit} (${error.maximum}) exceeded`);
    case 'timeout':
      return refusal(STATUS.deadlineExceeded, `timed out after ${error.milliseconds} ms`);
    case 'no-validator':
      return refusal(STATUS.unavailable, error.message);
    case 'engine-unreachable':
      return refusal(STATUS.unavailable, `the consensus engine does not answer: ${error.reason}`);
    case 'halted':
      return refusal(STATUS.unavailable, `node is halted: ${error.reason}`);
    case 'storage-failed':
      return refusal(STATUS.internal, 'storage failed');
  }
}

/** Code names in Go's status texts, `rpc error: code = NotFound desc = ...`. */
const GO_NAMES: ReadonlyMap<string, StatusCode> = new Map(
  Object.entries(STATUS).map(([name, code]) => [name.charAt(0).toUpperCase() + name.slice(1), code]),
);

/** Formats an error as Go's status text. */
export function statusText({ code, message }: Pick<Refusal, 'code' | 'message'>): string {
  const [name = ''] = [...GO_NAMES].find(([, known]) => known === code) ?? [];
  return `rpc error: code = ${name} desc = ${message}`;
}

/**
 * Converts a failed module query to a gRPC error. The application returns ABCI errors: a status as `rpc error: code =
 * NotFound desc = <text>: key not found`, a registered error with its text last, and an unregistered error or a panic
 * in the codespace `undefined`; for a panic the Go node's server returns the reason (go-grpc-middleware v1.4
 * `recovery`).
 */
export function refusalOfQuery({ code, codespace, log }: Extract<QueryResult, { readonly ok: false }>): Refusal {
  const status = /^rpc error: code = (\w+) desc = ([\s\S]*): [^:]*$/.exec(log);
  if (status !== null) return refusal(GO_NAMES.get(status[1] ?? '') ?? STATUS.unknown, status[2] ?? '');
  if (code === panicError.code) return refusal(STATUS.internal, log.slice(0, -`: ${panicError.text}`.length));
  if (codespace === 'undefined') return refusal(STATUS.unknown, log);
  const at = log.lastIndexOf(': ');
  return at < 0
    ? registeredError({ codespace, code, text: log })
    : registeredError({ codespace, code, text: log.slice(at + 2) }, log.slice(0, at));
}
