/** Intrinsic gas of transactions and limits of their parts. Prices in gas. */
import type { EthereumTransaction } from './transaction.js';

const TRANSACTION = 21_000n;
const CREATION = 53_000n;
const ZERO_BYTE = 4n;
/** Price of a non-zero calldata byte (EIP-2028). */
const NONZERO_BYTE = 16n;
/** Price per 32 bytes of init code (EIP-3860). */
const INITCODE_WORD = 2n;
/** Price per address in an access list (EIP-2930). */
const ACCESS_ADDRESS = 2_400n;
const ACCESS_KEY = 1_900n;
/** Price per authorization (EIP-7702). */
const AUTHORIZATION = 25_000n;
/** Price per calldata token (EIP-7623): a zero byte is one token, another byte four. */
const FLOOR_TOKEN = 10n;
/** Maximum length of init code in bytes (EIP-3860). */
export const MAX_INITCODE_SIZE = 49_152;

type Priced = Pick<EthereumTransaction, 'to' | 'data'> & {
  readonly accessList?: readonly { readonly storageKeys: readonly unknown[] }[];
  readonly authorizations?: readonly unknown[];
};

/** Intrinsic gas (yellow paper g0 with EIPs 2028, 2930, 3860, 7702). */
export function intrinsicGas(
  { to, data, accessList = [], authorizations = [] }: Priced,
  zeros: number = countZeros(data),
): bigint {
  const words = to === undefined ? BigInt(Math.ceil(data.length / 32)) : 0n;
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  return (
    (to === undefined ? CREATION : TRANSACTION) +
    BigInt(zeros) * ZERO_BYTE +
    BigInt(data.length - zeros) * NONZERO_BYTE +
    words * INITCODE_WORD +
    BigInt(accessList.length) * ACCESS_ADDRESS +
    BigInt(keys) * ACCESS_KEY +
    BigInt(authorizations.length) * AUTHORIZATION
  );
}

/** Minimum gas limit of a transaction with this data (EIP-7623, from Prague). */
function floorDataGas(data: Uint8Array, zeros: number): bigint {
  return TRANSACTION + BigInt(zeros + 4 * (data.length - zeros)) * FLOOR_TOKEN;
}

/** geth's text for a gas limit below the intrinsic gas (v1.17 `core/error.go`). */
const INTRINSIC_TOO_LOW = 'intrinsic gas too low';
const BELOW_DATA_FLOOR = 'insufficient gas for floor data gas cost';

export interface GasShortage {
  readonly text: typeof INTRINSIC_TOO_LOW | typeof BELOW_DATA_FLOOR;
  /** Lowest gas limit that the violated rule accepts. */
  readonly needed: bigint;
}

/** First rule that a gas limit violates before execution; undefined when the limit is enough. */
export function gasShortage(priced: Priced, gasLimit: bigint): GasShortage | undefined {
  const zeros = countZeros(priced.data);
  return intrinsicShortage(priced, gasLimit, zeros) ?? floorShortage(priced.data, gasLimit, zeros);
}

/** Result for a gas limit below the intrinsic gas; undefined when it is enough. */
export function intrinsicShortage(
  priced: Priced,
  gasLimit: bigint,
  zeros: number = countZeros(priced.data),
): GasShortage | undefined {
  const needed = intrinsicGas(priced, zeros);
  return gasLimit < needed ? { text: INTRINSIC_TOO_LOW, needed } : undefined;
}

/** Result for a gas limit below the calldata floor; undefined when it is enough. */
export function floorShortage(
  data: Uint8Array,
  gasLimit: bigint,
  zeros: number = countZeros(data),
): GasShortage | undefined {
  const needed = floorDataGas(data, zeros);
  return gasLimit < needed ? { text: BELOW_DATA_FLOOR, needed } : undefined;
}

/** True for an error text that begins with that of a gas shortage. */
export function isGasShortage(refusal: string): boolean {
  return refusal.startsWith(INTRINSIC_TOO_LOW) || refusal.startsWith(BELOW_DATA_FLOOR);
}

function countZeros(data: Uint8Array): number {
  let zeros = 0;
  for (let at = 0; at < data.length; at += 1) if (data[at] === 0) zeros += 1;
  return zeros;
}
