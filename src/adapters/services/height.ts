/** The height that a call asks about, as metadata of gRPC and header of REST (application-modules.md 4.4). */
import { registeredError, type Refusal } from './status.js';

/** Name of the metadata key, in and out; in REST's answers behind `Grpc-Metadata-`. */
export const HEIGHT_HEADER = 'x-cosmos-block-height';

/** Largest value of a signed 64-bit integer. */
const MAX_INT64 = 2n ** 63n - 1n;

/** Reads the header as the Go node does; absent or empty means the head, which is 0. */
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
    'sdk',
    18,
    'invalid request',
    `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT_HEADER}": strconv.ParseInt: parsing ${shown}: ${why}`,
  );
}
