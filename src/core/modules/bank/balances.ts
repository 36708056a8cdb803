/** Balances, supply, metadata and send-enabled flags, in the encodings of cosmos-sdk v0.53 for store `bank`. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { addressKey } from '../../bytes/address-key.js';
import { concat, EMPTY, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { has } from '../../sdk/module/gas.js';
import { invariant } from '../../errors.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

export const STORE = 'bank';
export const SUPPLY_PREFIX = Uint8Array.of(0);
export const METADATA_PREFIX = Uint8Array.of(1);
export const BALANCE_PREFIX = Uint8Array.of(2);
const OWNER_PREFIX = Uint8Array.of(3);
export const SEND_ENABLED_PREFIX = Uint8Array.of(4);
const PARAMS_KEY = Uint8Array.of(5);

/** Maximum characters of a denom with coins. */
const DENOM_CHARACTERS = 128;
/** Cached bytes of each denom and prefix of its owner index: each balance write needs both. */
const denoms = new Map<string, { readonly name: Uint8Array; readonly owners: Uint8Array }>();

function partsOf(denom: string): { readonly name: Uint8Array; readonly owners: Uint8Array } {
  const known = denoms.get(denom);
  if (known !== undefined) return known;
  const name = utf8(denom);
  const parts = { name, owners: concat(OWNER_PREFIX, name, Uint8Array.of(0)) };
  if (denoms.size >= FIXED_LIMITS.cachedPrefixes) denoms.clear();
  if (denom.length <= DENOM_CHARACTERS) denoms.set(denom, parts);
  return parts;
}

/** Prefix of all balances of an account. */
export const balancesOf = (address: Uint8Array): Uint8Array => addressKey(BALANCE_PREFIX, address);
/** Key of an account's balance in a denom. */
export const balanceKey = (address: Uint8Array, denom: string): Uint8Array =>
  addressKey(BALANCE_PREFIX, address, partsOf(denom).name);
/**
 * Address (20 bytes) in a balance key; undefined for other keys of the store. Returns a copy, because a view would
 * move the key's bytes out of the heap.
 */
export function addressOfKey(key: Uint8Array): Uint8Array | undefined {
  return key[0] === BALANCE_PREFIX[0] && key[1] === 20 ? key.slice(2, 22) : undefined;
}

/** Prefix of the index from a denom to its owners. */
export const ownersOf = (denom: string): Uint8Array => partsOf(denom).owners;
const ownerKey = (denom: string, address: Uint8Array): Uint8Array => addressKey(ownersOf(denom), address);
const supplyKey = (denom: string): Uint8Array => concat(SUPPLY_PREFIX, utf8(denom));
const metadataKey = (denom: string): Uint8Array => concat(METADATA_PREFIX, utf8(denom));
const sendEnabledKey = (denom: string): Uint8Array => concat(SEND_ENABLED_PREFIX, utf8(denom));

/** Number of digits that a JavaScript number holds exactly. */
const DIGITS = 15;
const UNIT = 10n ** BigInt(DIGITS);

/**
 * Parses an amount, which is stored as decimal text. Digits are read in groups, twice as fast as through a string.
 */
export function decodeAmount(value: Uint8Array): bigint {
  const first = value.length % DIGITS;
  let amount = BigInt(digitsOf(value, 0, first));
  for (let at = first; at < value.length; at += DIGITS)
    amount = amount * UNIT + BigInt(digitsOf(value, at, at + DIGITS));
  return amount;
}

function digitsOf(value: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (value[at] ?? 0) - 0x30;
    invariant(digit >= 0 && digit <= 9, 'the state holds an amount that is not a number');
    number = number * 10 + digit;
  }
  return number;
}

/** Reads a balance in base units, locked coins included; 0 without a row. */
export function getBalance(context: Context, address: Uint8Array, denom: string): bigint {
  const value = context.store.get(STORE, balanceKey(address, denom));
  return value === undefined ? 0n : decodeAmount(value);
}

/** All balances of an account, by denom. */
export function allBalances({ store }: Pick<Context, 'store'>, address: Uint8Array): Coin[] {
  const prefix = balancesOf(address);
  return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) =>
    coin(text(key.subarray(prefix.length)), decodeAmount(value)),
  );
}

/** Writes a balance and the index by denom, index first; a zero balance removes both. */
export function setBalance(context: Context, address: Uint8Array, denom: string, amount: bigint): void {
  invariant(amount >= 0n, 'a balance below zero');
  if (amount === 0n) {
    context.store.delete(STORE, ownerKey(denom, address));
    context.store.delete(STORE, balanceKey(address, denom));
    return;
  }
  context.store.set(STORE, ownerKey(denom, address), EMPTY);
  context.store.set(STORE, balanceKey(address, denom), utf8(amount.toString()));
}

/** Reads the supply of a denom in base units; 0 without a row. */
export function getSupply(context: Context, denom: string): bigint {
  const value = context.store.get(STORE, supplyKey(denom));
  return value === undefined ? 0n : decodeAmount(value);
}

/** Stores the supply of a denom; 0 deletes the row. */
export function setSupply(context: Context, denom: string, amount: bigint): void {
  if (amount === 0n) context.store.delete(STORE, supplyKey(denom));
  else context.store.set(STORE, supplyKey(denom), utf8(amount.toString()));
}

/** Reads the metadata of a base denom; undefined without any. */
export function getMetadata(context: Context, denom: string): pb.Metadata | undefined {
  const value = context.store.get(STORE, metadataKey(denom));
  return value === undefined ? undefined : fromBinary(pb.MetadataSchema, value);
}

/** True when a base denom has metadata. */
export function hasMetadata({ store }: Pick<Context, 'store'>, denom: string): boolean {
  return has(store, STORE, metadataKey(denom));
}

/** Stores metadata under its base denom. */
export function setMetadata(context: Context, metadata: pb.Metadata): void {
  context.store.set(STORE, metadataKey(metadata.base), toBinary(pb.MetadataSchema, metadata));
}

/** Accessors for the parameters; zeros before genesis stored them. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(pb.ParamsSchema), () =>
  create(pb.ParamsSchema),
);

/**
 * Encoded flag: a `google.protobuf.BoolValue`, which is empty for false (SDK v0.53 `codec/collections.go` BoolValue).
 */
const ENABLED = Uint8Array.of(8, 1);
const DISABLED = new Uint8Array();
/** True for a set flag. Homes of earlier builds have one byte instead, 0 or 1. */
export const isEnabled = (value: Uint8Array | undefined): boolean => (value?.[1] ?? value?.[0]) === 1;

/**
 * Send-enabled flag of a denom; undefined when the default applies. Checks for existence first like the SDK, because
 * that consumes gas.
 */
export function getSendEnabled(context: Context, denom: string): boolean | undefined {
  const key = sendEnabledKey(denom);
  return has(context.store, STORE, key) ? isEnabled(context.store.get(STORE, key)) : undefined;
}

/** Stores the send-enabled flag of a denom; undefined deletes it, so that the default applies. */
export function setSendEnabled(context: Context, denom: string, enabled: boolean | undefined): void {
  if (enabled === undefined) context.store.delete(STORE, sendEnabledKey(denom));
  else context.store.set(STORE, sendEnabledKey(denom), enabled ? ENABLED : DISABLED);
}

/** Send-enabled flags of all denoms that have one, ordered by denom. */
export function allSendEnabled({ store }: Pick<Context, 'store'>): readonly pb.SendEnabled[] {
  return Array.from(store.range(STORE, prefixRange(SEND_ENABLED_PREFIX)), ({ key, value }) =>
    create(pb.SendEnabledSchema, { denom: text(key.subarray(1)), enabled: isEnabled(value) }),
  );
}
