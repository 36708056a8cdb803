/** ABI structs that several precompiles share (cosmos/evm v0.6 `precompiles/common/Types.sol`). */
import { create } from '@bufbuild/protobuf';
import {
  PageRequestSchema,
  type PageRequest,
  type PageResponse,
} from '../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import type { Coin } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import { EMPTY } from '../bytes/bytes.js';
import { coin, isValidDenom } from '../sdk/coins/coins.js';
import { bytes, listOf, text, tuple } from './abi/compounds.js';
import { bool, uint, uint256 } from './abi/words.js';
import type { AbiValue } from './abi/abi-type.js';

/** Number of decimals in DecCoin amounts. */
export const PRECISION = 18n;
const ONE = 10n ** PRECISION;

export const abiCoin = tuple({ denom: text, amount: uint256 });
export const abiCoins = listOf(abiCoin);
export const abiDecCoins = listOf(tuple({ denom: text, amount: uint256, precision: uint(8) }));
export const abiDec = tuple({ value: uint256, precision: uint(8) });
export const abiPageRequest = tuple({ key: bytes, offset: uint(64), limit: uint(64), countTotal: bool, reverse: bool });
export const abiPageResponse = tuple({ nextKey: bytes, total: uint(64) });

/** Converts coins; amounts become uint256. */
export function coinsOut(coins: readonly Coin[]): AbiValue<typeof abiCoins> {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
}

/** Converts DecCoins to integers with 18 decimals. */
export function decCoinsOut(
  coins: readonly { readonly denom: string; readonly amount: string }[],
): AbiValue<typeof abiDecCoins> {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) / ONE, precision: PRECISION }));
}

/** Converts a page request to the SDK's message. */
export function pageIn(page: AbiValue<typeof abiPageRequest>): PageRequest {
  return create(PageRequestSchema, page);
}

/** Converts a page request like `pageIn`, but treats a single zero byte as an absent key. */
export function beginIn({ key, ...page }: AbiValue<typeof abiPageRequest>): PageRequest {
  return pageIn({ ...page, key: key.length === 1 && key[0] === 0 ? EMPTY : key });
}

/** Converts a page response; an absent one has no next key and total 0. */
export function pageOut(page: PageResponse | undefined): AbiValue<typeof abiPageResponse> {
  return { nextKey: page?.nextKey ?? EMPTY, total: page?.total ?? 0n };
}

/** Coins of an argument, sorted by denom; undefined when a denom is invalid. */
export function coinsIn(coins: AbiValue<typeof abiCoins>): Coin[] | undefined {
  if (!coins.every(({ denom }) => isValidDenom(denom))) return undefined;
  return coins
    .toSorted((left, right) => (left.denom < right.denom ? -1 : left.denom > right.denom ? 1 : 0))
    .map(({ denom, amount }) => coin(denom, amount));
}
