/** Variable names of the storage slots that a transaction changed, by storage layout. */
import type { AbiValue } from '../../../../core/abi/decode.js';
import { locationsAt } from '../../../../core/abi/storage-names.js';
import { contentIn, contentValue, type StorageLocation, valueIn } from '../../../../core/abi/storage-locations.js';
import { layoutOf } from './contracts.js';
import { bytesOf, crypto } from './crypto.js';
import type { Change } from './state-diff.js';

const DIGITS = 64;

/** A variable in a changed slot; a value is undefined if one slot does not contain all of it. */
export interface NamedChange {
  readonly name: string;
  readonly before: AbiValue | undefined;
  readonly after: AbiValue | undefined;
}

/** The variables that slot changes belong to; empty if no name is found. `keyText` formats a mapping key. */
export function namedChanges(
  changes: readonly Change[],
  words: readonly Uint8Array[],
  keyText: (key: AbiValue) => string,
): ReadonlyMap<Change, readonly NamedChange[]> {
  const slotsChanged = changes.filter(({ part }) => part === 'slot');
  const named = [...new Set(slotsChanged.map(({ address }) => address))].flatMap((address) => {
    const list = slotsChanged.filter((change) => change.address === address);
    const layout = layoutOf(address);
    if (layout === undefined) return [];
    const slots = new Set(list.map(({ slot }) => BigInt(slot)));
    const places = locationsAt(crypto, { layout, slots, words, keyText });
    return list.map((change) => [change, changedAt(change, places.get(BigInt(change.slot)) ?? [])] as const);
  });
  return new Map(named);
}

function changedAt({ before, after }: Change, places: readonly StorageLocation[]): readonly NamedChange[] {
  return places
    .filter((place) => bytesAt(place, before) !== bytesAt(place, after))
    .map((place) => ({ name: place.name, before: valueAt(place, before), after: valueAt(place, after) }));
}

/** Hex digits of a variable in its slot; only its part if it is packed. */
function bytesAt({ type, offset }: StorageLocation, word = ''): string {
  const digits = word.replace('0x', '').padStart(DIGITS, '0');
  return type.kind === 'value' ? digits.slice(DIGITS - 2 * (offset + type.size), DIGITS - 2 * offset) : digits;
}

function valueAt(place: StorageLocation, word = ''): AbiValue | undefined {
  const bytes = bytesOf(`0x${word.replace('0x', '').padStart(DIGITS, '0')}`);
  if (bytes === undefined || place.type.kind !== 'bytes') return bytes && valueIn(place, bytes);
  const content = contentIn(crypto, place, bytes);
  return content.kind === 'inside' ? contentValue(place, content.bytes) : undefined;
}
