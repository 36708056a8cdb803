import { EMPTY } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { hexProblem } from '../../sdk/go/go-text.js';
import { grpcError } from '../../sdk/module/sdk-error.js';

const HASH_BYTES = 32;

/** Decodes a denom hash in a query; throws for an invalid one. Accepts the prefix `ibc/` and an empty hash. */
export function requireDenomHash(hash: string): Uint8Array {
  const digits = hash.replace(/^ibc\//, '');
  const problem = hashProblem(digits);
  if (problem !== undefined) throw grpcError('InvalidArgument', `invalid denom trace hash: , error: ${problem}`);
  return bytesOfDigits(digits) ?? EMPTY;
}

/** Go's error for digits that are not a denom hash; undefined for a hash, and for an empty string. */
export function hashProblem(digits: string): string | undefined {
  const bytes = bytesOfDigits(digits);
  if (bytes === undefined) return `encoding/hex: ${hexProblem(digits)}`;
  if (bytes.length === 0 || bytes.length === HASH_BYTES) return undefined;
  return `expected size to be ${HASH_BYTES} bytes, got ${bytes.length} bytes`;
}
