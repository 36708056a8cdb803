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
export function intrinsicGas({ to, data, accessList = [], authorizations = [] }: Priced): bigint {
  const zeros = countZeros(data);
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
export function floorDataGas(data: Uint8Array): bigint {
  const zeros = countZeros(data);
  return TRANSACTION + BigInt(zeros + 4 * (data.length - zeros)) * FLOOR_TOKEN;
}

function countZeros(data: Uint8Array): number {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros += 1;
  return zeros;
}
