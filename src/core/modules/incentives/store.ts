/** Incentives, gas meters and allocation meters (keys: evmos v3.0.0 `x/incentives/types/keys.go`). */
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { concat, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { IncentiveSchema, type Incentive } from '../../proto/evmos/incentives/v1/incentives_pb.js';
import type { Context } from '../../sdk/module/context.js';
import type { DecCoin } from '../../sdk/coins/dec-coins.js';
import { Records } from '../../state/records.js';
import { STORE } from './params.js';
import { messageCodec } from '../../state/params-record.js';

export const INCENTIVE_PREFIX = Uint8Array.of(1);
const GAS_METER_PREFIX = Uint8Array.of(2);
export const ALLOCATION_PREFIX = Uint8Array.of(3);
/** Prefix of participant counts by contract; an addition of ours. */
const COUNT_PREFIX = Uint8Array.of(4);
const ADDRESS_LENGTH = 20;

/** Decodes 40 hexadecimal digits, with or without `0x`; undefined for other text. */
export function hexAddress(shown: string): Uint8Array | undefined {
  const address = bytesOfDigits(shown.replace(/^0x/i, ''));
  return address?.length === ADDRESS_LENGTH ? address : undefined;
}

type Readable = Pick<Context, 'store'>;

const records = new Records(STORE, messageCodec(IncentiveSchema));

const incentiveKey = (contract: Uint8Array): Uint8Array => concat(INCENTIVE_PREFIX, contract);
const countKey = (contract: Uint8Array): Uint8Array => concat(COUNT_PREFIX, contract);
/** Prefix of the gas meters of a contract. */
export const metersOf = (contract: Uint8Array): Uint8Array => concat(GAS_METER_PREFIX, contract);
const meterKey = (contract: Uint8Array, participant: Uint8Array): Uint8Array =>
  concat(GAS_METER_PREFIX, contract, participant);

/** Incentive of a contract; undefined when there is none. */
export function getIncentive(context: Readable, contract: Uint8Array): Incentive | undefined {
  return records.get(context, incentiveKey(contract));
}

/** Stores the incentive of a contract. */
export function setIncentive(context: Context, contract: Uint8Array, incentive: Incentive): void {
  records.set(context, incentiveKey(contract), incentive);
}

/** All incentives with their contracts, in contract order. */
export function allIncentives(
  context: Context,
): readonly { readonly contract: Uint8Array; readonly incentive: Incentive }[] {
  return Array.from(context.store.range(STORE, prefixRange(INCENTIVE_PREFIX)), ({ key, value }) => ({
    contract: key.slice(1),
    incentive: records.decode(context, key, value),
  }));
}

/** Deletes an incentive and subtracts its allocations from the allocation meters. */
export function deleteIncentive(context: Context, contract: Uint8Array, { allocations }: Incentive): void {
  context.store.delete(STORE, incentiveKey(contract));
  for (const { denom, amount } of allocations)
    setAllocation(context, { denom, amount: getAllocation(context, denom) - BigInt(amount) });
}

/** Gas that a participant used in a contract in this epoch; undefined without a meter. */
export function getGasMeter({ store }: Readable, contract: Uint8Array, participant: Uint8Array): bigint | undefined {
  const value = store.get(STORE, meterKey(contract, participant));
  return value === undefined ? undefined : readBe64(value);
}

/** Stores a participant's gas; counts a new participant. */
export function setGasMeter(context: Context, contract: Uint8Array, participant: Uint8Array, gas: bigint): void {
  const { store } = context;
  const key = meterKey(contract, participant);
  if (store.get(STORE, key) === undefined)
    store.set(STORE, countKey(contract), be64(participants(context, contract) + 1n));
  store.set(STORE, key, be64(gas));
}

/** Number of participants of an incentive in this epoch. */
export function participants({ store }: Readable, contract: Uint8Array): bigint {
  const value = store.get(STORE, countKey(contract));
  return value === undefined ? 0n : readBe64(value);
}

/** Gas meters of a contract in participant order; of all contracts when none is given. */
export function gasMeters(
  { store }: Readable,
  contract?: Uint8Array,
): readonly { readonly contract: Uint8Array; readonly participant: Uint8Array; readonly gas: bigint }[] {
  const prefix = contract === undefined ? GAS_METER_PREFIX : metersOf(contract);
  return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) => ({
    contract: key.slice(1, 1 + ADDRESS_LENGTH),
    participant: key.slice(1 + ADDRESS_LENGTH),
    gas: readBe64(value),
  }));
}

/** Deletes all gas meters of a contract. */
export function deleteGasMeters(context: Context, contract: Uint8Array): void {
  for (const { participant } of gasMeters(context, contract))
    context.store.delete(STORE, meterKey(contract, participant));
  context.store.delete(STORE, countKey(contract));
}

const allocationKey = (denom: string): Uint8Array => concat(ALLOCATION_PREFIX, utf8(denom));

/** Fraction of the pool's coins of a denom that is allocated, in units of 10^-18. */
export function getAllocation({ store }: Readable, denom: string): bigint {
  return decodeAllocation(store.get(STORE, allocationKey(denom)));
}

/** Decodes an allocation meter; 0 when absent. */
export function decodeAllocation(value: Uint8Array | undefined): bigint {
  return value === undefined ? 0n : BigInt(text(value));
}

/** Stores the allocation meter of a denom; 0 deletes the row. */
export function setAllocation({ store }: Context, { denom, amount }: DecCoin): void {
  if (amount === 0n) store.delete(STORE, allocationKey(denom));
  else store.set(STORE, allocationKey(denom), utf8(amount.toString()));
}
