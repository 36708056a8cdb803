/** Identifiers of clients, connections, ports and channels (ibc-go v10 `modules/core/24-host/validate.go`). */
import { MAX_UINT64 } from '../../bigint.js';
import { utf8 } from '../../bytes/bytes.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { invalidIdentifier } from './errors.js';
import { LOCALHOST_CLIENT } from './store.js';

/** Minimum and maximum characters. */
const LENGTHS = { client: [4, 64], connection: [10, 64], channel: [8, 64], port: [2, 128] } as const;
const SYMBOLS = "'.', '_', '+', '-', '#', '[', ']', '<', '>'";

type Kind = keyof typeof LENGTHS;

/**
 * Client type in a client id `{client-type}-{N}`; undefined for other text (ibc-go v10 `ParseClientIdentifier` in
 * `modules/core/02-client/types/keys.go`). Takes linear time: ibc-go's pattern would take quadratic time in a
 * backtracking regex engine.
 */
export function clientTypeOf(id: string): string | undefined {
  if (id === LOCALHOST_CLIENT) return id;
  const hyphen = id.lastIndexOf('-');
  const [type, sequence] = [id.slice(0, Math.max(hyphen, 0)), id.slice(hyphen + 1)];
  if (!/^[0-9]{1,20}$/.test(sequence) || BigInt(sequence) > MAX_UINT64) return undefined;
  return /^\w(?:[\w-]*\w)?$/.test(type) ? type : undefined;
}

/** True for the form `channel-{N}` (ibc-go v10 `modules/core/04-channel/types/keys.go`). */
export function isChannelFormat(id: string): boolean {
  return /^channel-[0-9]{1,20}$/.test(id);
}

/** True for a channel id whose number fits 64 bits. */
export function isChannelName(id: string): boolean {
  return isChannelFormat(id) && BigInt(id.slice('channel-'.length)) <= MAX_UINT64;
}

/** True for the form `connection-{N}` (ibc-go v10 `modules/core/03-connection/types/keys.go`). */
export function isConnectionFormat(id: string): boolean {
  return /^connection-[0-9]{1,20}$/.test(id) && BigInt(id.slice('connection-'.length)) <= MAX_UINT64;
}

/** Rule that an identifier violates; undefined for a valid one. */
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

/** ibc-go's error text for an invalid identifier; undefined for a valid one. */
export function identifierProblem(kind: Kind, id: string): string | undefined {
  const fault = identifierFault(kind, id);
  return fault === undefined ? undefined : `${fault}: ${invalidIdentifier.text}`;
}

/** Throws for an invalid identifier in a message; the error text begins with `what`. */
export function validateIdentifier(kind: Kind, id: string, what: string): void {
  const fault = identifierFault(kind, id);
  if (fault !== undefined) throw new SdkError(invalidIdentifier, `${what}: ${fault}`);
}

/** Throws for an invalid client id in a message, with the rule's text only. */
export function requireClientIdentifier(id: string): void {
  const fault = identifierFault('client', id);
  if (fault !== undefined) throw new SdkError(invalidIdentifier, fault);
}

/** Throws InvalidArgument for an invalid identifier in a query. */
export function requireIdentifier(kind: Kind, id: string): void {
  const problem = identifierProblem(kind, id);
  if (problem !== undefined) throw grpcError('InvalidArgument', problem);
}

/** Validates port and channel id, in the order of ibc-go's `validate.GRPCRequest`. */
export function requirePortAndChannel({ portId, channelId }: { portId: string; channelId: string }): void {
  requireIdentifier('port', portId);
  requireIdentifier('channel', channelId);
}
