/** REST codes, as in grpc-gateway: errors are `google.rpc.Status` in JSON, with the HTTP status of its code. */
import type { HttpResponse } from '../transport/index.js';
import { refusal, STATUS, type Refusal, type StatusCode } from '../services/status.js';
import { jsonText } from '../../core/text/json-text.js';

const HTTP_STATUS: Readonly<Record<StatusCode, number>> = {
  [STATUS.canceled]: 408,
  [STATUS.unknown]: 500,
  [STATUS.invalidArgument]: 400,
  [STATUS.deadlineExceeded]: 504,
  [STATUS.notFound]: 404,
  [STATUS.alreadyExists]: 409,
  [STATUS.permissionDenied]: 403,
  [STATUS.resourceExhausted]: 429,
  [STATUS.failedPrecondition]: 400,
  [STATUS.aborted]: 409,
  [STATUS.outOfRange]: 400,
  [STATUS.unimplemented]: 501,
  [STATUS.internal]: 500,
  [STATUS.unavailable]: 503,
  [STATUS.dataLoss]: 500,
  [STATUS.unauthenticated]: 401,
};

export const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** The error for an invalid request (InvalidArgument, code 3). */
export function badRequest(message: string): Refusal {
  return refusal(STATUS.invalidArgument, message);
}

/** The response for a failed call; `headers` are added to the content type. */
export function errorResponse(
  { code, message }: Refusal,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status: HTTP_STATUS[code], headers: { ...JSON_TYPE, ...headers }, body: errorText(code, message) };
}

function errorText(code: StatusCode, message: string): string {
  return jsonText({ code, message, details: [] });
}

/** The response for an unknown path or method. Wallets interpret 501 as a missing module. */
export const NOT_IMPLEMENTED: HttpResponse = errorResponse(refusal(STATUS.unimplemented, 'Not Implemented'));
