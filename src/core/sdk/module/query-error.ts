import { UNREGISTERED_WRAP, internalError, panicError, sdkErrors } from './sdk-error.js';

/** Error of a query: SDK code, codespace, and text. */
interface QueryError {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/**
 * Converts a query error for `abci_query`. gRPC statuses and panics keep their code; a registered error becomes SDK
 * error 6, and any other SDK error 18, each after its text (cosmos-sdk v0.53 `gRPCErrorToSDKError` and `Query` in
 * `baseapp/abci.go`).
 */
export function abciQueryError({ code, codespace, log }: QueryError): QueryError {
  const isStatus = log.startsWith('rpc error: code = ');
  if (
    isStatus ||
    code === panicError.code ||
    (codespace === sdkErrors.invalidRequest.codespace &&
      (code === sdkErrors.unknownRequest.code || code === sdkErrors.invalidRequest.code))
  )
    return { code, codespace, log };
  const { code: as, text } =
    codespace === internalError.codespace && code !== UNREGISTERED_WRAP
      ? sdkErrors.invalidRequest
      : sdkErrors.unknownRequest;
  return { code: as, codespace: sdkErrors.unknownRequest.codespace, log: `${log}: ${text}` };
}
