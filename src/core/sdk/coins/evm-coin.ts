/**
 * The EVM's native coin, as the evm module stores it for all modules (cosmos/evm v0.6 `x/vm/keeper/coin_info.go`).
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EvmCoinInfoSchema, type EvmCoinInfo } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import type { Context } from '../module/context.js';
import { unmetered } from '../module/gas.js';

const STORE = 'evm';
/** Decimals of one ether in wei. */
export const ETHER_DECIMALS = 18;
export const COIN_INFO_KEY = Uint8Array.of(5);

type Readable = Pick<Context, 'store'>;

const denoms = new WeakMap<Uint8Array, EvmCoinInfo>();

/** Reads the stored coin info. */
function getCoinInfo(context: Readable): EvmCoinInfo {
  const value = unmetered(context.store).get(STORE, COIN_INFO_KEY);
  if (value === undefined) return create(EvmCoinInfoSchema);
  const known = denoms.get(value) ?? fromBinary(EvmCoinInfoSchema, value);
  denoms.set(value, known);
  return known;
}

/** Stores the coin info. */
export function setCoinInfo(context: Context, info: EvmCoinInfo): void {
  context.store.set(STORE, COIN_INFO_KEY, toBinary(EvmCoinInfoSchema, info));
}

/** Denom of wei. */
export function evmDenom(context: Readable): string {
  return getCoinInfo(context).extendedDenom;
}

/**
 * The EVM's native coin. Bank counts it in `denom`; one unit of `denom` is `unit` wei, and 10^`decimals` units are
 * one ether. `extended` is the denom of wei.
 */
export interface EvmCoin {
  readonly denom: string;
  readonly extended: string;
  readonly unit: bigint;
  readonly decimals: number;
}

const coins = new WeakMap<EvmCoinInfo, EvmCoin>();

/** Reads the coin; before its info is stored it has 18 decimals and no name. */
export function evmCoin(context: Readable): EvmCoin {
  const info = getCoinInfo(context);
  const known = coins.get(info);
  if (known !== undefined) return known;
  const { denom, extendedDenom: extended, decimals } = info;
  // Without coin info the defaults apply.
  const made = {
    denom: decimals === 0 ? extended : denom,
    extended,
    unit: decimals === 0 ? 1n : 10n ** BigInt(ETHER_DECIMALS - decimals),
    decimals: decimals === 0 ? ETHER_DECIMALS : decimals,
  };
  coins.set(info, made);
  return made;
}
