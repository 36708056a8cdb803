/**
 * Converts the next validators hash in a genesis: hex in Go's JSON (like all bytes of CometBFT's own type), base64 in
 * protobuf's JSON.
 */
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';

const FIELD = 'next_validators_hash';

/** Section with hashes in base64. */
export function base64Hashes(section: unknown): unknown {
  return mapped(section, (text) => (/^([0-9a-fA-F]{2})*$/.test(text) ? toBase64(fromHex(text)) : text));
}

/** Section with hashes in hex. */
export function hexHashes(section: unknown): unknown {
  return mapped(section, (text) => upperHex(fromBase64(text)));
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === FIELD && typeof part === 'string' ? change(part) : mapped(part, change),
    ]),
  );
}
