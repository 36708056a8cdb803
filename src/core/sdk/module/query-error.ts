import { UNREGISTERED_WRAP, internalError, panicError, sdkErrors } from './sdk-error.js';

/** Error of a query: SDK code, codespace, and text. */
interface QueryError {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** Why the SDK reads no state of a height (cosmossdk.io/store v1.1.2 `iavl/store.go`, GetImmutable). */
const NO_VERSION =
  'version mismatch on immutable IAVL tree; version does not exist. ' +
  'Version has either been pruned, or is for a future block height';

/**
 * Text for a height whose state is pruned (cosmos-sdk v0.53 `baseapp/abci.go`, CreateQueryContextWithCheckHeader).
 * `head`: height of the newest block.
 */
export function prunedStateText(height: bigint, head: bigint): string {
  return `failed to load state at height ${height}; ${NO_VERSION} (latest height: ${head})`;
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
