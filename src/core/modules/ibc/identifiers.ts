/** Identifiers of clients, connections, ports and channels (ibc-go v10 `modules/core/24-host/validate.go`). */
import { MAX_UINT64 } from '../../bigint.js';
import { utf8 } from '../../bytes/bytes.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { invalidIdentifier } from './errors.js';
import { LOCALHOST_CLIENT } from './store.js';

/** Least and most characters. */
const LENGTHS = { client: [4, 64], connection: [10, 64], channel: [8, 64], port: [2, 128] } as const;
const SYMBOLS = "'.', '_', '+', '-', '#', '[', ']', '<', '>'";

type Kind = keyof typeof LENGTHS;

/**
 * The type in the identifier of a client, `{client-type}-{N}`; undefined for other texts (ibc-go v10
 * `ParseClientIdentifier` in `modules/core/02-client/types/keys.go`). Takes time in proportion to the text, however
 * long: the pattern of ibc-go takes that of its square in an engine that backtracks.
 */
export function clientTypeOf(id: string): string | undefined {
  if (id === LOCALHOST_CLIENT) return id;
  const hyphen = id.lastIndexOf('-');
  const [type, sequence] = [id.slice(0, Math.max(hyphen, 0)), id.slice(hyphen + 1)];
  if (!/^[0-9]{1,20}$/.test(sequence) || BigInt(sequence) > MAX_UINT64) return undefined;
  return /^\w(?:[\w-]*\w)?$/.test(type) ? type : undefined;
}

/** True for `channel-{N}`, as chains name their channels (ibc-go v10 `modules/core/04-channel/types/keys.go`). */
export function isChannelFormat(id: string): boolean {
  return /^channel-[0-9]{1,20}$/.test(id);
}

/** True for a name of the form of channels whose number a chain can count to. */
export function isChannelName(id: string): boolean {
  return isChannelFormat(id) && BigInt(id.slice('channel-'.length)) <= MAX_UINT64;
}

/**
 * True for `connection-{N}`, as chains name their connections (ibc-go v10 `modules/core/03-connection/types/keys.go`).
 */
export function isConnectionFormat(id: string): boolean {
  return /^connection-[0-9]{1,20}$/.test(id) && BigInt(id.slice('connection-'.length)) <= MAX_UINT64;
}

/** The rule that an identifier breaks; undefined for a good one. */
export function identifierFault(kind: Kind, id: string): string | undefined {
  const [least, most] = LENGTHS[kind];
  const { length } = utf8(id);
  if (isBlank(id)) return 'identifier cannot be blank';
  if (id.includes('/')) return `identifier ${id} cannot contain separator '/'`;
  if (length < least || length > most)
    return `identifier ${id} has invalid length: ${length}, must be between ${least}-${most} characters`;
  if (!/^[a-zA-Z0-9._+\-#[\]<>]+$/.test(id))
    return `identifier ${id} must contain only alphanumeric or the following characters: ${SYMBOLS}`;
  return undefined;
}

/** The rule that an identifier breaks, in the words of ibc-go; undefined for a good one. */
export function identifierProblem(kind: Kind, id: string): string | undefined {
  const fault = identifierFault(kind, id);
  return fault === undefined ? undefined : `${fault}: ${invalidIdentifier.text}`;
}

/** Refuses a message with a bad identifier; `what` precedes the text. */
export function validateIdentifier(kind: Kind, id: string, what: string): void {
  const fault = identifierFault(kind, id);
  if (fault !== undefined) throw new SdkError(invalidIdentifier, `${what}: ${fault}`);
}

/** Refuses a message with a bad identifier of a client, in the words of the rule alone. */
export function requireClientIdentifier(id: string): void {
  const fault = identifierFault('client', id);
  if (fault !== undefined) throw new SdkError(invalidIdentifier, fault);
}

/** Throws a query's InvalidArgument for a bad identifier. */
export function requireIdentifier(kind: Kind, id: string): void {
  const problem = identifierProblem(kind, id);
  if (problem !== undefined) throw grpcError('InvalidArgument', problem);
}

/** Checks the port, then the channel, as ibc-go's `validate.GRPCRequest` does. */
export function requirePortAndChannel({ portId, channelId }: { portId: string; channelId: string }): void {
  requireIdentifier('port', portId);
  requireIdentifier('channel', channelId);
}
