/** Total amount in escrow by denom (ibc-go v10 `modules/apps/transfer/keeper/keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { text } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { type Coin, IntProtoSchema } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { STORE, totalEscrowKey } from './store.js';

const amountIn = (value: Uint8Array): bigint => BigInt(fromBinary(IntProtoSchema, value).int);

/** Amount in escrow, in base units; 0 without a row. */
export function getTotalEscrow({ store }: Pick<Context, 'store'>, denom: string): bigint {
  const value = store.get(STORE, totalEscrowKey(denom));
  return value === undefined ? 0n : amountIn(value);
}

/** Stores the amount in escrow; 0 deletes the row. */
export function setTotalEscrow({ store }: Pick<Context, 'store'>, denom: string, amount: bigint): void {
  if (amount === 0n) {
    store.delete(STORE, totalEscrowKey(denom));
    return;
  }
  store.set(STORE, totalEscrowKey(denom), toBinary(IntProtoSchema, create(IntProtoSchema, { int: amount.toString() })));
}

/** All amounts in escrow, in denom order. */
export function allTotalEscrow({ store }: Pick<Context, 'store'>): readonly Coin[] {
  const prefix = totalEscrowKey('');
  return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) =>
    coin(text(key.subarray(prefix.length)), amountIn(value)),
  );
}
