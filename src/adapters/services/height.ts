/** The height of a call, as gRPC metadata and as REST header (cosmos-sdk v0.53 `types/grpc/headers.go`). */
import { MAX_INT64 } from '../../core/bigint.js';
import { registeredError, type Refusal } from './status.js';
import { sdkErrors } from '../../core/sdk/module/sdk-error.js';

/** Metadata key in requests and responses; REST responses prefix it with `Grpc-Metadata-`. */
export const HEIGHT_HEADER = 'x-cosmos-block-height';

/** Parses the header as the Go node does; absent or empty is 0, the head. */
export function parseHeight(text: string | undefined): { readonly ok: true; readonly height: bigint } | Refusal {
  if (text === undefined || text === '') return { ok: true, height: 0n };
  if (!/^[+-]?[0-9]{1,4096}$/.test(text)) return badHeight(text, 'invalid syntax');
  const height = BigInt(text.replace(/^\+/, ''));
  if (height > MAX_INT64 || height < -MAX_INT64 - 1n) return badHeight(text, 'value out of range');
  return { ok: true, height };
}

function badHeight(text: string, why: string): Refusal {
  const shown = JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}...` : text);
  return registeredError(
    sdkErrors.invalidRequest,
    `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT_HEADER}": strconv.ParseInt: parsing ${shown}: ${why}`,
  );
}
