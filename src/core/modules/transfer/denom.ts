/** Denominations of tokens of other chains (ibc-go v10 `modules/apps/transfer/types/denom.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import { grpcError } from '../../sdk/sdk-error.js';
import { clientTypeOf, identifierProblem } from '../ibc/identifiers.js';
import type { PortChannel } from '../ibc/keys.js';

/** A denomination with the channels over which it came, the last one first. */
export interface Denom {
  readonly base: string;
  readonly hops: readonly PortChannel[];
}

/** Pairs of a port and a channel or client, then the denomination (ibc-go v10 `ExtractDenomFromPath`). */
export function denomOfPath(path: string): Denom {
  const parts = path.split('/');
  const hops: PortChannel[] = [];
  let next = 0;
  // the name of a channel has the form of a client's
  for (; parts.length > 2 && clientTypeOf(parts[next + 1] ?? '') !== undefined; next += 2)
    hops.push({ portId: parts[next] ?? '', channelId: parts[next + 1] ?? '' });
  return { base: parts.slice(next).join('/'), hops };
}

/** Refuses, as queries do, the way of a token that has no denomination or a bad port. */
export function requirePath(path: string): void {
  const { base, hops } = denomOfPath(path);
  if (base.trim() === '')
    throw grpcError(
      'InvalidArgument',
      'base denomination cannot be blank: invalid denomination for cross-chain transfer',
    );
  for (const { portId } of hops) {
    const problem = identifierProblem('port', portId);
    if (problem !== undefined)
      throw grpcError('InvalidArgument', `invalid trace: invalid hop source port ID ${portId}: ${problem}`);
  }
}

/** Hash of a denomination's path, by which the store knows it (ibc-go v10 `Denom.Hash`). */
export function denomHash(sha256: (data: Uint8Array) => Uint8Array, { base, hops }: Denom): Uint8Array {
  return sha256(utf8([...hops.flatMap(({ portId, channelId }) => [portId, channelId]), base].join('/')));
}

/** The denom of the coins of this chain that stand for a denomination: `ibc/HASH` for one that came over channels. */
export function localDenom(sha256: (data: Uint8Array) => Uint8Array, denom: Denom): string {
  return denom.hops.length === 0 ? denom.base : `ibc/${upperHex(denomHash(sha256, denom))}`;
}
