/** Identifiers of clients, connections, ports and channels (ibc-go v10 `modules/core/24-host/validate.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { grpcError } from '../../sdk/sdk-error.js';

/** Least and most characters. */
const LENGTHS = { client: [4, 64], connection: [10, 64], channel: [8, 64], port: [2, 128] } as const;
const SYMBOLS = "'.', '_', '+', '-', '#', '[', ']', '<', '>'";

/** The rule that an identifier breaks, in the words of ibc-go; undefined for a good one. */
export function identifierProblem(kind: keyof typeof LENGTHS, id: string): string | undefined {
  const [least, most] = LENGTHS[kind];
  const { length } = utf8(id);
  const wrong = (reason: string): string => `identifier ${reason}: invalid identifier`;
  if (id.trim() === '') return wrong('cannot be blank');
  if (id.includes('/')) return wrong(`${id} cannot contain separator '/'`);
  if (length < least || length > most)
    return wrong(`${id} has invalid length: ${length}, must be between ${least}-${most} characters`);
  if (!/^[a-zA-Z0-9._+\-#[\]<>]+$/.test(id))
    return wrong(`${id} must contain only alphanumeric or the following characters: ${SYMBOLS}`);
  return undefined;
}

/** Throws a query's InvalidArgument for a bad identifier. */
export function requireIdentifier(kind: keyof typeof LENGTHS, id: string): void {
  const problem = identifierProblem(kind, id);
  if (problem !== undefined) throw grpcError('InvalidArgument', problem);
}

/** As ibc-go's `validate.GRPCRequest`: the port, then the channel. */
export function requirePortAndChannel({ portId, channelId }: { portId: string; channelId: string }): void {
  requireIdentifier('port', portId);
  requireIdentifier('channel', channelId);
}
