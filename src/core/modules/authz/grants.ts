/** Grants and their expiry queue (cosmos-sdk v0.53 `x/authz/keeper/keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Any, Timestamp } from '@bufbuild/protobuf/wkt';
import { formatTime, fromTimestamp } from '../../comet/time.js';
import { NS_PER_SECOND, toTimeNs, type TimeNs } from '../../primitives.js';
import { GrantQueueItemSchema, GrantSchema, type Grant } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import type { Authorization } from './authorization.js';
import { errors } from './errors.js';
import { grantKey, pairOfQueueKey, queueBefore, queueKey, STORE, type Pair } from './keys.js';

/** Gas per entry read when a grant is removed from the queue. */
const GAS_PER_ENTRY = 20n;

/** Decodes a row of the store. */
export const decodeGrant = (value: Uint8Array): Grant => fromBinary(GrantSchema, value);

/** Reads a grant, expired or not; undefined when there is none. */
export function getGrant(context: Context, pair: Pair, msgTypeUrl: string): Grant | undefined {
  const value = context.store.get(STORE, grantKey(pair, msgTypeUrl));
  return value === undefined ? undefined : decodeGrant(value);
}

function writeGrant(
  context: Context,
  pair: Pair,
  msgTypeUrl: string,
  authorization: Any,
  expiration: Timestamp | undefined,
): void {
  const grant = create(GrantSchema, { authorization, ...(expiration !== undefined && { expiration }) });
  context.store.set(STORE, grantKey(pair, msgTypeUrl), toBinary(GrantSchema, grant));
}

/** An authorization with its expiration; undefined: it does not expire. */
interface NewGrant {
  readonly authorization: Authorization;
  readonly expiration: Timestamp | undefined;
}

/** Stores a grant; replaces an earlier one for the same message type. Throws SdkError when it has expired. */
export function saveGrant(context: Context, pair: Pair, grant: NewGrant): void {
  const end = grant.expiration && fromTimestamp(grant.expiration);
  if (end !== undefined && end <= context.time) {
    throw new SdkError(
      errors.invalidExpiration,
      `expiration must be after the current block time (${inSeconds(context.time)}), got ${inSeconds(end)}`,
    );
  }
  storeGrant(context, pair, grant);
}

/** Stores a grant without checking its expiration: expired grants are deleted at the beginning of blocks. */
export function storeGrant(context: Context, pair: Pair, { authorization, expiration }: NewGrant): void {
  const end = expiration && fromTimestamp(expiration);
  const { any, msgTypeUrl } = authorization;
  const before = getGrant(context, pair, msgTypeUrl)?.expiration;
  const beforeEnd = before && fromTimestamp(before);
  if (beforeEnd !== undefined && beforeEnd !== end) leaveQueue(context, pair, msgTypeUrl, beforeEnd);
  if (end !== undefined && beforeEnd !== end) {
    const waiting = readQueue(context, queueKey(end, pair)) ?? [];
    writeQueue(context, queueKey(end, pair), [...waiting, msgTypeUrl]);
  }
  writeGrant(context, pair, msgTypeUrl, any, expiration);
  emitChange(context, 'EventGrant', pair, msgTypeUrl);
}

/** Updates the authorization of a grant, which keeps its expiration. */
export function updateGrant(context: Context, pair: Pair, msgTypeUrl: string, authorization: Any): void {
  const grant = getGrant(context, pair, msgTypeUrl);
  if (grant === undefined) throw new SdkError(errors.noAuthorization);
  writeGrant(context, pair, msgTypeUrl, authorization, grant.expiration);
}

/** Deletes a grant; authz error 2 when there is none. */
export function deleteGrant(context: Context, pair: Pair, msgTypeUrl: string): void {
  const grant = getGrant(context, pair, msgTypeUrl);
  if (grant === undefined) {
    const { granter, grantee } = namesOf(context, pair);
    throw new SdkError(
      errors.noAuthorization,
      `failed to delete grant with given granter: ${granter}, grantee: ${grantee} & msgType: ${msgTypeUrl} `,
    );
  }
  if (grant.expiration !== undefined) leaveQueue(context, pair, msgTypeUrl, fromTimestamp(grant.expiration));
  context.store.delete(STORE, grantKey(pair, msgTypeUrl));
  emitChange(context, 'EventRevoke', pair, msgTypeUrl);
}

/** Deletes grants that expired before the block. */
export function deleteExpired({ store, time }: Context): void {
  for (const { key, value } of [...store.range(STORE, queueBefore(time))]) {
    store.delete(STORE, key);
    const pair = pairOfQueueKey(key);
    for (const msgTypeUrl of fromBinary(GrantQueueItemSchema, value).msgTypeUrls)
      store.delete(STORE, grantKey(pair, msgTypeUrl));
  }
}

function leaveQueue(context: Context, pair: Pair, msgTypeUrl: string, end: TimeNs): void {
  const key = queueKey(end, pair);
  const waiting = readQueue(context, key);
  if (waiting === undefined)
    throw new SdkError(errors.noGrantKey, "can't remove grant from the expire queue, grant key not found");
  for (const [index, entry] of waiting.entries()) {
    context.gas.consume(GAS_PER_ENTRY, 'grant queue');
    if (entry !== msgTypeUrl) continue;
    const last = waiting.at(-1) ?? '';
    writeQueue(context, key, waiting.with(index, last).slice(0, -1));
    return;
  }
}

function readQueue({ store }: Context, key: Uint8Array): readonly string[] | undefined {
  const value = store.get(STORE, key);
  return value && fromBinary(GrantQueueItemSchema, value).msgTypeUrls;
}

function writeQueue({ store }: Context, key: Uint8Array, msgTypeUrls: readonly string[]): void {
  const item = create(GrantQueueItemSchema, { msgTypeUrls: [...msgTypeUrls] });
  store.set(STORE, key, toBinary(GrantQueueItemSchema, item));
}

/** Bech32 addresses of granter and grantee. */
export function namesOf({ chain }: Context, { granter, grantee }: Pair): { granter: string; grantee: string } {
  return {
    granter: encodeAddress(chain.bech32Prefix, granter),
    grantee: encodeAddress(chain.bech32Prefix, grantee),
  };
}

/** Emits a typed event: attributes are JSON, in alphabetical order (cosmos-sdk v0.53 `types/events.go`). */
function emitChange(context: Context, type: 'EventGrant' | 'EventRevoke', pair: Pair, msgTypeUrl: string): void {
  const { granter, grantee } = namesOf(context, pair);
  emit(context, `cosmos.authz.v1beta1.${type}`, () => [
    ['grantee', JSON.stringify(grantee)],
    ['granter', JSON.stringify(granter)],
    ['msg_type_url', JSON.stringify(msgTypeUrl)],
  ]);
}

/** Formats a time as RFC 3339 without fractional seconds. */
function inSeconds(time: TimeNs): string {
  return formatTime(toTimeNs(time - (time % NS_PER_SECOND)));
}
