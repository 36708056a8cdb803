/** Denoms of other chains' tokens (ibc-go v10 `modules/apps/transfer/types/denom.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { invalidIdentifier } from '../ibc/errors.js';
import { clientTypeOf, identifierFault } from '../ibc/identifiers.js';
import type { PortChannel } from '../ibc/keys.js';
import { transferErrors } from './errors.js';

/** A base denom with the trace of channels it came over, the last one first. */
export interface Denom {
  readonly base: string;
  readonly trace: readonly PortChannel[];
}

/** Parses a path: pairs of port and channel (or client), then the base denom (ibc-go v10 `ExtractDenomFromPath`). */
export function denomOfPath(path: string): Denom {
  const parts = path.split('/');
  const trace: PortChannel[] = [];
  let next = 0;
  // Channel ids have the form of client ids.
  for (; parts.length > 2 && clientTypeOf(parts[next + 1] ?? '') !== undefined; next += 2)
    trace.push({ portId: parts[next] ?? '', channelId: parts[next + 1] ?? '' });
  return { base: parts.slice(next).join('/'), trace };
}

/** Formats the path of a denom, as in packets. */
export function pathOf({ base, trace }: Denom): string {
  return [...trace.flatMap(({ portId, channelId }) => [portId, channelId]), base].join('/');
}

/** Error for an invalid denom (ibc-go v10 `Denom.Validate`); undefined for a valid one. */
export function denomRefusal({ base, trace }: Denom): SdkError | undefined {
  if (isBlank(base)) return new SdkError(transferErrors.invalidDenom, 'base denomination cannot be blank');
  for (const { portId, channelId } of trace) {
    for (const [kind, id] of [
      ['port', portId],
      ['channel', channelId],
    ] as const) {
      const fault = identifierFault(kind, id);
      if (fault !== undefined)
        return new SdkError(invalidIdentifier, `invalid trace: invalid hop source ${kind} ID ${id}: ${fault}`);
    }
  }
  return undefined;
}

/** Parses a path in a query; throws for an invalid one. */
export function requirePath(path: string): Denom {
  const denom = denomOfPath(path);
  const refusal = denomRefusal(denom);
  if (refusal !== undefined) throw grpcError('InvalidArgument', refusal.message);
  return denom;
}

/** sha256 of a denom's path, its key in the store (ibc-go v10 `Denom.Hash`). */
export function denomHash(sha256: (data: Uint8Array) => Uint8Array, denom: Denom): Uint8Array {
  return sha256(utf8(pathOf(denom)));
}

/** Local denom: `ibc/HASH` for a token that came over channels, otherwise the base denom. */
export function localDenom(sha256: (data: Uint8Array) => Uint8Array, denom: Denom): string {
  return denom.trace.length === 0 ? denom.base : `ibc/${upperHex(denomHash(sha256, denom))}`;
}
