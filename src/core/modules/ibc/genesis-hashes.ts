/**
 * The hash of the next validators in a genesis: hex in Go's JSON, as all bytes of CometBFT's own type, and base64 in
 * the JSON of protobuf.
 */
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';

const FIELD = 'next_validators_hash';

/** The section with its hashes in base64. */
export function base64Hashes(section: unknown): unknown {
  return mapped(section, (text) => (/^([0-9a-fA-F]{2})*$/.test(text) ? toBase64(fromHex(text)) : text));
}

/** The section with its hashes in hex. */
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
