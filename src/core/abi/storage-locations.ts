/** Locations of values in a contract's storage (docs.soliditylang.org, "Layout of State Variables in Storage"). */
import { bigintOfBytes, wordOf } from '../bytes/big-endian.js';
import { text as textOf } from '../bytes/bytes.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { type AbiValue, decodeParameters } from './decode.js';
import type { StorageLayout, StorageType, StorageVariable } from './storage-layout.js';

type Keccak = Pick<Crypto, 'keccak256'>;

const WORD = 32;
const SLOTS = 1n << 256n;

/**
 * A part of storage that is read on its own: a value, or a mapping or array whose parts are found by key or index.
 */
export interface StorageLocation extends Omit<StorageVariable, 'type'> {
  readonly type: Exclude<StorageType, { readonly kind: 'struct' }>;
}

/**
 * Locations of a variable: itself, or its members (`limits.owner`) and elements (`steps[0]`), at most `layoutParts`.
 * Arrays with more than `layoutElements` elements are not expanded.
 */
export function locationsOf({ types }: StorageLayout, variable: StorageVariable): readonly StorageLocation[] {
  const places: StorageLocation[] = [];
  let visits = 0;
  const visit = ({ type: id, ...at }: StorageVariable, depth: number): void => {
    const type = types.get(id);
    // A malformed layout may contain a struct within itself.
    visits += 1;
    if (type === undefined || visits > FIXED_LIMITS.layoutParts || depth > FIXED_LIMITS.abiDepth) return;
    if (type.kind === 'struct') {
      for (const member of type.members)
        visit({ ...member, name: `${at.name}.${member.name}`, slot: wrapped(at.slot + member.slot) }, depth + 1);
    } else if (type.kind === 'array' && type.length !== undefined && type.length <= FIXED_LIMITS.layoutElements) {
      for (let index = 0n; index < type.length; index += 1n) {
        const element = elementAt(types, type, at, at.slot, index);
        if (element !== undefined) visit(element, depth + 1);
      }
    } else places.push({ ...at, type });
  };
  visit(variable, 0);
  return places;
}

/** Element of an array at an index; undefined for other locations. */
export function elementOf(
  crypto: Keccak,
  { types }: StorageLayout,
  place: StorageLocation,
  index: bigint,
): StorageVariable | undefined {
  const { type, slot } = place;
  if (type.kind !== 'array') return undefined;
  const first = type.length === undefined ? contentSlot(crypto, place) : slot;
  return elementAt(types, type, place, first, index);
}

/**
 * Value of a mapping for a key; undefined for other locations. `bytes` of a key are its 32-byte ABI encoding, or the
 * content of a string or bytes.
 */
export function entryOf(
  crypto: Keccak,
  { name, type, slot }: StorageLocation,
  key: { readonly text: string; readonly bytes: Uint8Array },
): StorageVariable | undefined {
  if (type.kind !== 'mapping') return undefined;
  const preimage = new Uint8Array(key.bytes.length + WORD);
  preimage.set(key.bytes);
  preimage.set(wordOf(slot), key.bytes.length);
  return { name: `${name}[${key.text}]`, type: type.value, slot: hashOf(crypto, preimage), offset: 0 };
}

/** Elements share a slot while they fit completely; an element that needs whole slots starts a new one. */
function sharing(size: number): { readonly shared: bigint; readonly span: bigint } {
  return { shared: BigInt(Math.max(1, Math.floor(WORD / size))), span: BigInt(Math.ceil(size / WORD)) };
}

function elementAt(
  types: StorageLayout['types'],
  type: Extract<StorageType, { readonly kind: 'array' }>,
  { name }: Pick<StorageVariable, 'name'>,
  first: bigint,
  index: bigint,
): StorageVariable | undefined {
  const size = types.get(type.of)?.size;
  if (size === undefined) return undefined;
  const { shared, span } = sharing(size);
  const slot = wrapped(first + (index / shared) * span);
  return { name: `${name}[${index}]`, type: type.of, slot, offset: Number(index % shared) * size };
}

/** Decodes the value at a location from the word of its slot; undefined for a location that is not a single value. */
export function valueIn(place: StorageLocation, word: Uint8Array): AbiValue | undefined {
  const { type, offset } = place;
  if (type.kind === 'array' && type.length === undefined) return { kind: 'number', value: bigintOfBytes(word) };
  if (type.kind !== 'value' || offset + type.size > WORD) return undefined;
  const bytes = word.subarray(WORD - offset - type.size, WORD - offset);
  if (type.type === undefined) return { kind: 'bytes', value: bytes };
  const whole = new Uint8Array(WORD);
  whole.set(bytes, type.type.kind === 'bytes' ? 0 : WORD - bytes.length);
  return decodeParameters([{ name: '', type: type.type, indexed: false }], whole)?.[0]?.value;
}

/** Where the content of bytes or a string is: in the word of its slot, or in slots from the slot's hash on. */
export type Content =
  | { readonly kind: 'inside'; readonly bytes: Uint8Array }
  | { readonly kind: 'outside'; readonly length: bigint; readonly first: bigint };

/** Decodes the word of a bytes or string location. */
export function contentIn(crypto: Keccak, { slot }: Pick<StorageLocation, 'slot'>, word: Uint8Array): Content {
  const lowest = word[WORD - 1] ?? 0;
  if (lowest % 2 === 0) return { kind: 'inside', bytes: word.subarray(0, Math.min(lowest / 2, WORD - 1)) };
  return { kind: 'outside', length: bigintOfBytes(word) / 2n, first: contentSlot(crypto, { slot }) };
}

/** First slot of content outside of its own slot: array elements, or more than 31 bytes. */
export function contentSlot(crypto: Keccak, { slot }: Pick<StorageLocation, 'slot'>): bigint {
  return hashOf(crypto, wordOf(slot));
}

/** Indices of array elements that lie in the given slots. */
export function elementsIn(
  crypto: Keccak,
  { types }: StorageLayout,
  place: StorageLocation,
  slots: ReadonlySet<bigint>,
): readonly bigint[] {
  const { type } = place;
  const size = type.kind === 'array' ? types.get(type.of)?.size : undefined;
  if (type.kind !== 'array' || size === undefined) return [];
  const first = type.length === undefined ? contentSlot(crypto, place) : place.slot;
  const { shared, span } = sharing(size);
  return [...slots].flatMap((slot) => {
    const away = slot - first;
    if (away < 0n || away >= FIXED_LIMITS.layoutReach) return [];
    return Array.from({ length: Number(shared) }, (_, at) => (away / span) * shared + BigInt(at)).filter(
      (index) => type.length === undefined || index < type.length,
    );
  });
}

/** Value of bytes or a string. */
export function contentValue({ type }: StorageLocation, bytes: Uint8Array): AbiValue {
  return type.kind === 'bytes' && type.isText
    ? { kind: 'string', value: textOf(bytes) }
    : { kind: 'bytes', value: bytes };
}

function hashOf({ keccak256 }: Keccak, bytes: Uint8Array): bigint {
  return bigintOfBytes(keccak256(bytes));
}

function wrapped(slot: bigint): bigint {
  return slot % SLOTS;
}
