/** Reads the variables of a contract by its storage layout, with `eth_getStorageAt`. */
import { type AbiValue } from '../../../../core/abi/decode.js';
import type { StorageLayout, StorageType, StorageVariable } from '../../../../core/abi/storage-layout.js';
import {
  contentIn,
  contentValue,
  elementOf,
  entryOf,
  locationsOf,
  type StorageLocation,
  valueIn,
} from '../../../../core/abi/storage-locations.js';
import { type AbiType, typeOf } from '../../../../core/abi/type.js';
import { wordOf } from '../../../../core/bytes/big-endian.js';
import { encodeKey } from './abi-encode.js';
import { bytesOf, crypto, hexData } from './crypto.js';
import { askAll, Refused } from './ethereum.js';

/** Maximum variables shown, slots per batch, and slots of one string. */
const PLACES = 500;
const BATCH = 100;
const TEXT_SLOTS = 32;
/** Number of array elements read without an index. */
const FIRST_ELEMENTS = 10;

/** A storage location with its value; undefined for a mapping and for a fixed-length array. */
export interface ReadPlace {
  readonly place: StorageLocation;
  readonly word: string;
  readonly value: AbiValue | undefined;
  /** True if the value is longer than what is shown. */
  readonly isCut: boolean;
}

/** Locations of all variables; requested elements follow their container. */
export function placesWith(
  layout: StorageLayout,
  asked: ReadonlyMap<string, readonly StorageVariable[]>,
): readonly StorageLocation[] {
  const places: StorageLocation[] = [];
  const add = (variable: StorageVariable): void => {
    if (places.length >= PLACES) return;
    for (const place of locationsOf(layout, variable)) {
      places.push(place);
      for (const part of asked.get(place.name) ?? []) add(part);
    }
  };
  for (const variable of layout.variables) add(variable);
  return places.slice(0, PLACES);
}

/** Reads locations of a contract in the state of a block. */
export async function readPlaces(
  address: string,
  places: readonly StorageLocation[],
  block: string,
): Promise<readonly ReadPlace[]> {
  const words = await readSlots(
    address,
    places.map(({ slot }) => slot),
    block,
  );
  const at = (slot: bigint): Uint8Array => bytesOf(words.get(slot) ?? '0x') ?? new Uint8Array(32);
  const contents = places.map((place) =>
    place.type.kind === 'bytes' ? contentIn(crypto, place, at(place.slot)) : undefined,
  );
  const outside = contents.flatMap((content) => {
    if (content?.kind !== 'outside') return [];
    return Array.from({ length: slotsOf(content.length) }, (_, index) => content.first + BigInt(index));
  });
  const texts = await readSlots(address, outside, block);
  return places.map((place, index) => {
    const word = words.get(place.slot) ?? '0x';
    const content = contents[index];
    if (content === undefined) return { place, word, value: valueIn(place, at(place.slot)), isCut: false };
    if (content.kind === 'inside') return { place, word, value: contentValue(place, content.bytes), isCut: false };
    const hex = Array.from({ length: slotsOf(content.length) }, (_, part) =>
      (texts.get(content.first + BigInt(part)) ?? '0x').slice(2),
    ).join('');
    const bytes = bytesOf(`0x${hex}`) ?? new Uint8Array();
    const length = Math.min(bytes.length, Number(content.length));
    const value = contentValue(place, bytes.subarray(0, length));
    return { place, word, value, isCut: content.length > BigInt(length) };
  });
}

function slotsOf(length: bigint): number {
  return Math.min(TEXT_SLOTS, Math.ceil(Number(length) / 32));
}

async function readSlots(
  address: string,
  slots: readonly bigint[],
  block: string,
): Promise<ReadonlyMap<bigint, string>> {
  const all = [...new Set(slots)];
  const words = new Map<bigint, string>();
  for (let from = 0; from < all.length; from += BATCH) {
    const part = all.slice(from, from + BATCH);
    const results = await askAll(
      part.map((slot) => ({ method: 'eth_getStorageAt', params: [address, hexData(wordOf(slot)), block] })),
    );
    part.forEach((slot, index) => {
      const result = results[index];
      if (result?.ok !== true) throw new Refused(result?.message ?? 'no answer', result?.code ?? 0);
      words.set(slot, result.value as string);
    });
  }
  return words;
}

/** Key types of a location: of nested mappings, or the index of an array. */
export function keysOf(layout: StorageLayout, place: StorageLocation): readonly StorageType[] {
  const keys: StorageType[] = [];
  let type: StorageType | undefined = place.type;
  while (type?.kind === 'mapping' && keys.length < 8) {
    const key = layout.types.get(type.key);
    if (key !== undefined) keys.push(key);
    type = layout.types.get(type.value);
  }
  return keys;
}

/**
 * Elements of a location by typed-in keys: a mapping entry, an array element, or the first elements without an index.
 * `named` resolves a name to an address. Throws with the expected form of a key.
 */
export function partsBy(
  layout: StorageLayout,
  { place, value }: Pick<ReadPlace, 'place' | 'value'>,
  texts: readonly string[],
  named: (text: string) => string,
): readonly StorageVariable[] {
  if (place.type.kind === 'array') {
    const length = place.type.length ?? (value?.kind === 'number' ? value.value : 0n);
    return indexesOf(texts[0]?.trim() ?? '', length).flatMap((at) => elementOf(crypto, layout, place, at) ?? []);
  }
  let found: StorageVariable | undefined;
  let at: StorageLocation | undefined = place;
  for (const [index, type] of keysOf(layout, place).entries()) {
    const typed = texts[index] ?? '';
    const abi = keyType(type);
    const bytes = encodeKey(abi, abi.kind === 'address' ? named(typed.trim()) : typed);
    found = at && entryOf(crypto, at, { text: typed, bytes });
    at = found && locationsOf(layout, found)[0];
  }
  return found === undefined ? [] : [found];
}

/** The typed-in index, or the first ones. Throws if it is out of range. */
function indexesOf(text: string, length: bigint): readonly bigint[] {
  if (text === '') return Array.from({ length: FIRST_ELEMENTS }, (_, at) => BigInt(at)).filter((at) => at < length);
  if (!/^[0-9]{1,78}$/.test(text)) throw new Error('an index is a whole number');
  if (BigInt(text) >= length) throw new Error(`there are ${length} elements`);
  return [BigInt(text)];
}

/** The ABI type of a key; user-defined types are 32 bytes. */
function keyType(type: StorageType): AbiType {
  const known =
    type.kind === 'value' ? type.type : type.kind === 'bytes' ? typeOf(type.isText ? 'string' : 'bytes') : undefined;
  return known ?? { kind: 'bytes', size: 32 };
}
