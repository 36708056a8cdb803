/** Names slots whose mapping keys are unknown, by trying words that may be keys. */
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import type { AbiValue } from './decode.js';
import type { StorageLayout, StorageVariable } from './storage-layout.js';
import {
  contentSlot,
  elementOf,
  elementsIn,
  entryOf,
  locationsOf,
  type StorageLocation,
  valueIn,
} from './storage-locations.js';

export interface NamesRequest {
  readonly layout: StorageLayout;
  readonly slots: ReadonlySet<bigint>;
  /** Words of 32 bytes that may be mapping keys, such as arguments and topics. */
  readonly words: readonly Uint8Array[];
  /** Formats a key as text. */
  readonly keyText: (key: AbiValue) => string;
}

/** A slot with content of a value that is longer than its own slot. */
const CONTENT = { kind: 'value', label: 'bytes32', size: 32, type: { kind: 'bytes', size: 32 } } as const;

/** Locations in each slot, as far as they are found; packed variables give several. */
export function locationsAt(
  crypto: Pick<Crypto, 'keccak256'>,
  { layout, slots, words, keyText }: NamesRequest,
): ReadonlyMap<bigint, readonly StorageLocation[]> {
  const found = new Map<bigint, StorageLocation[]>();
  let hashes = 0;
  const take = (place: StorageLocation): void => {
    if (slots.has(place.slot)) found.set(place.slot, [...(found.get(place.slot) ?? []), place]);
  };
  const visit = (variable: StorageVariable, depth: number): void => {
    if (depth <= FIXED_LIMITS.abiDepth) for (const place of locationsOf(layout, variable)) visitPlace(place, depth);
  };
  const visitPlace = (place: StorageLocation, depth: number): void => {
    const { type } = place;
    if (type.kind === 'value' || type.kind === 'bytes' || (type.kind === 'array' && type.length === undefined))
      take(place);
    if (type.kind === 'value' || hashes >= FIXED_LIMITS.layoutHashes) return;
    hashes += 1;
    if (type.kind === 'mapping') {
      const key = layout.types.get(type.key);
      if (key?.kind !== 'value') return;
      for (const bytes of words) {
        if (hashes >= FIXED_LIMITS.layoutHashes) return;
        hashes += 1;
        const isShort = key.type?.kind === 'bytes';
        if (
          (isShort ? bytes.subarray(key.size) : bytes.subarray(0, bytes.length - key.size)).some((byte) => byte !== 0)
        )
          continue;
        const offset = isShort ? bytes.length - key.size : 0;
        const value = valueIn({ name: '', type: key, slot: 0n, offset }, bytes);
        const entry = value && entryOf(crypto, place, { text: keyText(value), bytes });
        if (entry !== undefined) visit(entry, depth + 1);
      }
    } else if (type.kind === 'bytes') {
      const first = contentSlot(crypto, place);
      for (const slot of slots)
        if (slot - first >= 0n && slot - first < FIXED_LIMITS.layoutReach)
          take({ ...place, slot, type: CONTENT, name: `${place.name}, bytes ${32n * (slot - first)} on` });
    } else
      for (const index of elementsIn(crypto, layout, place, slots)) {
        const element = elementOf(crypto, layout, place, index);
        if (element !== undefined) visit(element, depth + 1);
      }
  };
  for (const variable of layout.variables) visit(variable, 0);
  return found;
}
