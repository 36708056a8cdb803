import { EMPTY } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { hexProblem } from '../../sdk/go/go-text.js';
import { grpcError } from '../../sdk/module/sdk-error.js';

const HASH_BYTES = 32;

/**
 * The bytes of a denomination's hash; refuses, as queries do, a text that is none. `ibc/` before it is left out, and
 * an empty one passes.
 */
export function requireDenomHash(hash: string): Uint8Array {
  const digits = hash.replace(/^ibc\//, '');
  const problem = hashProblem(digits);
  if (problem !== undefined) throw grpcError('InvalidArgument', `invalid denom trace hash: , error: ${problem}`);
  return bytesOfDigits(digits) ?? EMPTY;
}

/** Gives Go's reason why digits are no hash of a denomination; undefined for a hash, and for no digits. */
export function hashProblem(digits: string): string | undefined {
  const bytes = bytesOfDigits(digits);
  if (bytes === undefined) return `encoding/hex: ${hexProblem(digits)}`;
  if (bytes.length === 0 || bytes.length === HASH_BYTES) return undefined;
  return `expected size to be ${HASH_BYTES} bytes, got ${bytes.length} bytes`;
}
