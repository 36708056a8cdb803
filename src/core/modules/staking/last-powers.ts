/** Validator set after the last block (cosmos-sdk v0.53 `x/staking/keeper/validator.go`, `keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Int64ValueSchema } from '@bufbuild/protobuf/wkt';
import { EMPTY } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { IntProtoSchema } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ValidatorUpdatesSchema } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { ValidatorUpdate } from '../../proto/tendermint/abci/types_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { decodeOnce } from '../../state/decode-once.js';
import {
  LAST_POWER_PREFIX,
  LAST_TOTAL_POWER_KEY,
  lastPowerKey,
  operatorOfKey,
  STORE,
  VALIDATOR_UPDATES_KEY,
} from './keys.js';

export interface LastPower {
  readonly operator: Uint8Array;
  readonly power: bigint;
}

/** Stores the consensus power of a bonded validator. */
export function setLastPower({ store }: Context, operator: Uint8Array, power: bigint): void {
  store.set(STORE, lastPowerKey(operator), toBinary(Int64ValueSchema, create(Int64ValueSchema, { value: power })));
}

/** Deletes the last power of a validator that is no longer bonded. */
export function deleteLastPower({ store }: Context, operator: Uint8Array): void {
  store.delete(STORE, lastPowerKey(operator));
}

const decodePower = decodeOnce(Int64ValueSchema);

/** Validators of the last block, ordered by operator. */
export function* lastPowers({ store }: Context): Iterable<LastPower> {
  for (const { key, value } of store.range(STORE, prefixRange(LAST_POWER_PREFIX)))
    yield { operator: operatorOfKey(key), power: decodePower(value).value };
}

/** Total consensus power of bonded validators; 0 before genesis. */
export function getLastTotalPower({ store }: Context): bigint {
  const value = store.get(STORE, LAST_TOTAL_POWER_KEY);
  return value === undefined ? 0n : BigInt(fromBinary(IntProtoSchema, value).int);
}

/** Stores the total consensus power of bonded validators. */
export function setLastTotalPower({ store }: Context, power: bigint): void {
  const value = toBinary(IntProtoSchema, create(IntProtoSchema, { int: power.toString() }));
  store.set(STORE, LAST_TOTAL_POWER_KEY, value);
}

function updatesBytes(updates: readonly ValidatorUpdate[]): Uint8Array {
  return toBinary(ValidatorUpdatesSchema, {
    $typeName: 'cosmos.staking.v1beta1.ValidatorUpdates',
    updates: [...updates],
  });
}

/** Stores the validator updates of the current block, as the SDK does. */
export function setValidatorUpdates({ store }: Context, updates: readonly ValidatorUpdate[]): void {
  store.set(STORE, VALIDATOR_UPDATES_KEY, updates.length === 0 ? EMPTY : updatesBytes(updates));
}
