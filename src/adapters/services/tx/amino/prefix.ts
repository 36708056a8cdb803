/**
 * Prefix bytes of Amino's registered types, which precede a concrete value in binary (tendermint/go-amino, README
 * "Computing the prefix and disambiguation bytes").
 */
import { getOption, hasOption, type DescMessage, type Registry } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { upperHex } from '../../../../core/bytes/hex.js';
import { name as aminoName } from '../../../../core/proto/amino/amino_pb.js';

export const PREFIX_BYTES = 4;

/**
 * The prefix of a type name: from its SHA-256 hash, drops leading zeros, the three disambiguation bytes and further
 * zeros, and takes the next four bytes.
 */
export function aminoPrefix(name: string): Uint8Array {
  const hash = sha256(new TextEncoder().encode(name));
  let at = afterZeros(hash, 0);
  at = afterZeros(hash, at + 3);
  return hash.slice(at, at + PREFIX_BYTES);
}

function afterZeros(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0) at++;
  return at;
}

/** Messages with an Amino name, by name and by prefix. */
export class AminoTypes {
  readonly #byName = new Map<string, DescMessage>();
  readonly #byPrefix = new Map<string, DescMessage>();

  constructor(readonly registry: Registry) {
    for (const type of registry) {
      // Check with `hasOption` first, because reading an absent option is expensive.
      if (type.kind !== 'message' || !hasOption(type, aminoName)) continue;
      const name = getOption(type, aminoName);
      this.#byName.set(name, type);
      this.#byPrefix.set(upperHex(aminoPrefix(name)), type);
    }
  }

  byName(name: string): DescMessage | undefined {
    return this.#byName.get(name);
  }

  /** The type whose prefix the bytes begin with; undefined if there is none. */
  ofBytes(bytes: Uint8Array): DescMessage | undefined {
    return this.#byPrefix.get(upperHex(bytes.subarray(0, PREFIX_BYTES)));
  }
}
