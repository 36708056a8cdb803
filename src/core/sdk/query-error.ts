import { internalError, sdkErrors } from './sdk-error.js';

/** Why a query failed: an SDK code in its codespace, and a text. */
interface QueryError {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/**
 * A failed query as `abci_query` reports it. Only gRPC statuses keep a code of their own there; a registered error
 * becomes SDK error 6 and any other 18, each behind its text (cosmos-sdk `gRPCErrorToSDKError`; recorded by the Go CLI).
 */
export function abciQueryError({ code, codespace, log }: QueryError): QueryError {
  const isStatus = log.startsWith('rpc error: code = ');
  if (
    isStatus ||
    (codespace === sdkErrors.invalidRequest.codespace &&
      (code === sdkErrors.unknownRequest.code || code === sdkErrors.invalidRequest.code))
  )
    return { code, codespace, log };
  const { code: as, text } =
    codespace === internalError.codespace ? sdkErrors.invalidRequest : sdkErrors.unknownRequest;
  return { code: as, codespace: sdkErrors.unknownRequest.codespace, log: `${log}: ${text}` };
}
