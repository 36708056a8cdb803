/** Slash events of validators, which end periods (cosmos-sdk v0.53 `x/distribution/keeper/store.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { addressKey } from '../../bytes/address-key.js';
import { readBe64 } from '../../bytes/big-endian.js';
import { prefixRange } from '../../bytes/key-order.js';
import { ValidatorSlashEventSchema } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import type { ValidatorSlashEvent } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { SLASH_EVENT_PREFIX, slashEventKey, slashEventsAt, splitAddress, STORE } from './keys.js';

export interface SlashEvent {
  readonly operator: Uint8Array;
  readonly height: bigint;
  /** Period that the slash ended. */
  readonly period: bigint;
  /** Slashed fraction of the tokens, in units of 10^-18. */
  readonly fraction: bigint;
}

/** Converts to the SDK's message; `fraction` becomes the integer text with 18 decimals. */
export function slashEventMessage({ period, fraction }: SlashEvent): ValidatorSlashEvent {
  return create(ValidatorSlashEventSchema, { validatorPeriod: period, fraction: fraction.toString() });
}

/** Stores a slash event by validator, height and period. */
export function setSlashEvent({ store }: Context, event: SlashEvent): void {
  const { operator, height, period } = event;
  const value = toBinary(ValidatorSlashEventSchema, slashEventMessage(event));
  store.set(STORE, slashEventKey(operator, height, period), value);
}

/** Decodes a row; validator and height come from the key. */
export function decodeSlashEvent(key: Uint8Array, value: Uint8Array): SlashEvent {
  const { address, rest } = splitAddress(key);
  const { validatorPeriod, fraction } = fromBinary(ValidatorSlashEventSchema, value);
  return { operator: address, height: readBe64(rest), period: validatorPeriod, fraction: BigInt(fraction) };
}

/** Slash events of a validator at heights `first` to `last`, in order. */
export function* slashEventsBetween(
  { store }: Context,
  operator: Uint8Array,
  first: bigint,
  last: bigint,
): Iterable<SlashEvent> {
  const range = { start: slashEventsAt(operator, first), end: slashEventsAt(operator, last + 1n) };
  for (const { key, value } of store.range(STORE, range)) yield decodeSlashEvent(key, value);
}

/** All slash events, by validator. */
export function* allSlashEvents({ store }: Context): Iterable<SlashEvent> {
  for (const { key, value } of store.range(STORE, prefixRange(SLASH_EVENT_PREFIX))) yield decodeSlashEvent(key, value);
}

/** Deletes all slash events of a removed validator. */
export function deleteSlashEvents({ store }: Context, operator: Uint8Array): void {
  for (const { key } of [...store.range(STORE, prefixRange(addressKey(SLASH_EVENT_PREFIX, operator)))])
    store.delete(STORE, key);
}
