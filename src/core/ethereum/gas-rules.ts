/** Gas of a transaction before its first instruction, and limits of its parts. Prices in gas. */
import type { EthereumTransaction } from './transaction.js';

const TRANSACTION = 21_000n;
const CREATION = 53_000n;
const ZERO_BYTE = 4n;
/** EIP-2028. */
const NONZERO_BYTE = 16n;
/** EIP-3860, for each 32 bytes of init code. */
const INITCODE_WORD = 2n;
/** EIP-2930. */
const ACCESS_ADDRESS = 2_400n;
const ACCESS_KEY = 1_900n;
/** EIP-7702, for each authorization. */
const AUTHORIZATION = 25_000n;
/** EIP-7623, per token: a zero byte is one token, another byte four. */
const FLOOR_TOKEN = 10n;
/** EIP-3860: bytes of init code. */
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

/** Least gas limit of a transaction with this data (EIP-7623, from Prague). */
function floorDataGas(data: Uint8Array, zeros: number): bigint {
  return TRANSACTION + BigInt(zeros + 4 * (data.length - zeros)) * FLOOR_TOKEN;
}

/** geth's words for a gas limit that no execution can begin with (v1.17 `core/error.go`). */
const INTRINSIC_TOO_LOW = 'intrinsic gas too low';
const BELOW_DATA_FLOOR = 'insufficient gas for floor data gas cost';

export interface GasShortage {
  readonly text: typeof INTRINSIC_TOO_LOW | typeof BELOW_DATA_FLOOR;
  /** The least gas limit that the broken rule accepts. */
  readonly needed: bigint;
}

/** The first rule that a gas limit breaks before the first instruction; undefined when it is enough. */
export function gasShortage(priced: Priced, gasLimit: bigint): GasShortage | undefined {
  const zeros = countZeros(priced.data);
  return intrinsicShortage(priced, gasLimit, zeros) ?? floorShortage(priced.data, gasLimit, zeros);
}

/** Checks for a gas limit below the intrinsic gas. */
export function intrinsicShortage(
  priced: Priced,
  gasLimit: bigint,
  zeros: number = countZeros(priced.data),
): GasShortage | undefined {
  const needed = intrinsicGas(priced, zeros);
  return gasLimit < needed ? { text: INTRINSIC_TOO_LOW, needed } : undefined;
}

/** Checks for a gas limit below the floor of calldata's gas. */
export function floorShortage(
  data: Uint8Array,
  gasLimit: bigint,
  zeros: number = countZeros(data),
): GasShortage | undefined {
  const needed = floorDataGas(data, zeros);
  return gasLimit < needed ? { text: BELOW_DATA_FLOOR, needed } : undefined;
}

/** True for a refusal that begins with the text of a gas shortage. */
export function tellsGasShortage(refusal: string): boolean {
  return refusal.startsWith(INTRINSIC_TOO_LOW) || refusal.startsWith(BELOW_DATA_FLOOR);
}

function countZeros(data: Uint8Array): number {
  let zeros = 0;
  for (let at = 0; at < data.length; at += 1) if (data[at] === 0) zeros += 1;
  return zeros;
}
