/** Denominations of tokens of other chains (ibc-go v10 `modules/apps/transfer/types/denom.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { invalidIdentifier } from '../ibc/errors.js';
import { clientTypeOf, identifierFault } from '../ibc/identifiers.js';
import type { PortChannel } from '../ibc/keys.js';
import { transferErrors } from './errors.js';

/** A denomination with the channels over which it came, the last one first. */
export interface Denom {
  readonly base: string;
  readonly trace: readonly PortChannel[];
}

/** Pairs of a port and a channel or client, then the denomination (ibc-go v10 `ExtractDenomFromPath`). */
export function denomOfPath(path: string): Denom {
  const parts = path.split('/');
  const trace: PortChannel[] = [];
  let next = 0;
  // the name of a channel has the form of a client's
  for (; parts.length > 2 && clientTypeOf(parts[next + 1] ?? '') !== undefined; next += 2)
    trace.push({ portId: parts[next] ?? '', channelId: parts[next + 1] ?? '' });
  return { base: parts.slice(next).join('/'), trace };
}

/** The text of a denomination that packets have. */
export function pathOf({ base, trace }: Denom): string {
  return [...trace.flatMap(({ portId, channelId }) => [portId, channelId]), base].join('/');
}

/** Gives the reason why a denomination is invalid (ibc-go v10 `Denom.Validate`). */
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

/** Refuses, as queries do, a path that is none. */
export function requirePath(path: string): Denom {
  const denom = denomOfPath(path);
  const refusal = denomRefusal(denom);
  if (refusal !== undefined) throw grpcError('InvalidArgument', refusal.message);
  return denom;
}

/** Hash of a denomination's path, by which the store knows it (ibc-go v10 `Denom.Hash`). */
export function denomHash(sha256: (data: Uint8Array) => Uint8Array, denom: Denom): Uint8Array {
  return sha256(utf8(pathOf(denom)));
}

/** The denom of the coins of this chain that stand for a denomination: `ibc/HASH` for one that came over channels. */
export function localDenom(sha256: (data: Uint8Array) => Uint8Array, denom: Denom): string {
  return denom.trace.length === 0 ? denom.base : `ibc/${upperHex(denomHash(sha256, denom))}`;
}
