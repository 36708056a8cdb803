/**
 * Decodes Solidity's `Error(string)` and `Panic(uint256)` from revert data (geth v1.17 `UnpackRevert` in
 * `accounts/abi/abi.go`).
 */
import { hexData, hexQuantity } from '../bytes/hex.js';
import { bigintOfBytes } from '../bytes/big-endian.js';

const ERROR_SELECTOR = '0x08c379a0';
const PANIC_SELECTOR = '0x4e487b71';

const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/** Revert reason; undefined for custom errors and malformed data. */
export function revertReason(output: Uint8Array): string | undefined {
  const selector = hexData(output.subarray(0, 4));
  const body = output.subarray(4);
  if (selector === PANIC_SELECTOR && body.length >= 32) {
    const code = bigintOfBytes(body.subarray(0, 32));
    return PANICS.get(code) ?? `unknown panic code: ${hexQuantity(code)}`;
  }
  if (selector !== ERROR_SELECTOR || body.length < 64) return undefined;
  const offset = bigintOfBytes(body.subarray(0, 32));
  if (offset + 32n > BigInt(body.length)) return undefined;
  const start = Number(offset) + 32;
  const length = bigintOfBytes(body.subarray(start - 32, start));
  if (BigInt(start) + length > BigInt(body.length)) return undefined;
  return new TextDecoder().decode(body.subarray(start, start + Number(length)));
}

/** geth's message for a reverted call. */
export function revertMessage(output: Uint8Array): string {
  const reason = revertReason(output);
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`;
}
