/** The coin of the EVM, as the module evm stores it for all modules (cosmos/evm v0.6 `x/vm/keeper/coin_info.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EvmCoinInfoSchema, type EvmCoinInfo } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import type { Context } from '../module/context.js';
import { unmetered } from '../module/gas.js';

const STORE = 'evm';
/** Decimals of an ether, of which wei are the smallest part. */
export const ETHER_DECIMALS = 18;
export const COIN_INFO_KEY = Uint8Array.of(5);

type Readable = Pick<Context, 'store'>;

const denoms = new WeakMap<Uint8Array, EvmCoinInfo>();

/** Facts of the coin that the EVM counts in wei. */
function getCoinInfo(context: Readable): EvmCoinInfo {
  const value = unmetered(context.store).get(STORE, COIN_INFO_KEY);
  if (value === undefined) return create(EvmCoinInfoSchema);
  const known = denoms.get(value) ?? fromBinary(EvmCoinInfoSchema, value);
  denoms.set(value, known);
  return known;
}

/** Stores the facts of the coin. */
export function setCoinInfo(context: Context, info: EvmCoinInfo): void {
  context.store.set(STORE, COIN_INFO_KEY, toBinary(EvmCoinInfoSchema, info));
}

/** The name of wei as a denom. */
export function evmDenom(context: Readable): string {
  return getCoinInfo(context).extendedDenom;
}

/**
 * The coin of the EVM: bank counts it in `denom`, of which one is `unit` wei, and 10^`decimals` an ether; wei are the
 * denom `extended`.
 */
export interface EvmCoin {
  readonly denom: string;
  readonly extended: string;
  readonly unit: bigint;
  readonly decimals: number;
}

const coins = new WeakMap<EvmCoinInfo, EvmCoin>();

/** Reads the coin; before its facts are stored it has 18 decimals and no name. */
export function evmCoin(context: Readable): EvmCoin {
  const info = getCoinInfo(context);
  const known = coins.get(info);
  if (known !== undefined) return known;
  const { denom, extendedDenom: extended, decimals } = info;
  // without facts of the coin it is as if there were none
  const made = {
    denom: decimals === 0 ? extended : denom,
    extended,
    unit: decimals === 0 ? 1n : 10n ** BigInt(ETHER_DECIMALS - decimals),
    decimals: decimals === 0 ? ETHER_DECIMALS : decimals,
  };
  coins.set(info, made);
  return made;
}
