/** Claims records by address (keys: evmos v3.0.0 `x/claims/types/keys.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { concat } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { Action, ClaimsRecordSchema } from '../../proto/evmos/claims/v1/claims_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { Records } from '../../state/records.js';
import { STORE } from './params.js';

export const RECORD_PREFIX = Uint8Array.of(1);

/** The four actions; each is worth a quarter of a record. */
export const ACTIONS = [Action.VOTE, Action.DELEGATE, Action.EVM, Action.IBC_TRANSFER] as const;

/** Airdrop of one account. */
export interface ClaimsRecord {
  /** Coins of the record before any claim, in base units. */
  readonly initial: bigint;
  /** Whether each action was claimed, in the order of `ACTIONS`. */
  readonly completed: readonly boolean[];
}

const records = new Records<ClaimsRecord>(STORE, { encode: encodeRecord, decode: decodeRecord });

function encodeRecord({ initial, completed }: ClaimsRecord): Uint8Array {
  const message = { initialClaimableAmount: initial.toString(), actionsCompleted: [...completed] };
  return toBinary(ClaimsRecordSchema, create(ClaimsRecordSchema, message));
}

/** Decodes the row of a record. */
export function decodeRecord(value: Uint8Array): ClaimsRecord {
  const { initialClaimableAmount, actionsCompleted } = fromBinary(ClaimsRecordSchema, value);
  return { initial: BigInt(initialClaimableAmount), completed: actionsCompleted };
}

const keyOf = (address: Uint8Array): Uint8Array => concat(RECORD_PREFIX, address);

/** Record of an address; undefined when there is none. */
export function getRecord(context: Pick<Context, 'store'>, address: Uint8Array): ClaimsRecord | undefined {
  return records.get(context, keyOf(address));
}

/** Stores the record of an address. */
export function setRecord(context: Context, address: Uint8Array, record: ClaimsRecord): void {
  records.set(context, keyOf(address), record);
}

/** Deletes the record of an address. */
export function deleteRecord({ store }: Context, address: Uint8Array): void {
  store.delete(STORE, keyOf(address));
}

/** All records in address order. */
export function* allRecords(
  context: Context,
): Iterable<{ readonly address: Uint8Array; readonly record: ClaimsRecord }> {
  for (const { key, value } of context.store.range(STORE, prefixRange(RECORD_PREFIX)))
    yield { address: key.slice(1), record: records.decode(context, key, value) };
}

/** Whether an action was claimed. */
export const hasClaimed = ({ completed }: ClaimsRecord, action: Action): boolean => completed[action - 1] === true;

/** Returns the record with an action marked as claimed. */
export const withClaimed = (record: ClaimsRecord, action: Action): ClaimsRecord => ({
  ...record,
  completed: record.completed.map((done, index) => done || index === action - 1),
});

/** Coins per action, rounded down. */
export const perAction = ({ initial }: Pick<ClaimsRecord, 'initial'>): bigint => initial / BigInt(ACTIONS.length);

/** Coins of the unclaimed actions. */
export const unclaimed = (record: ClaimsRecord): bigint =>
  perAction(record) * BigInt(record.completed.filter((done) => !done).length);
