/** Places of values in the storage of a contract (docs.soliditylang.org, "Layout of State Variables in Storage"). */
import { bigintOfBytes, wordOf } from '../bytes/big-endian.js';
import { text as textOf } from '../bytes/bytes.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { type AbiValue, decodeParameters } from './decode.js';
import type { StorageLayout, StorageType, StorageVariable } from './storage-layout.js';

type Keccak = Pick<Crypto, 'keccak256'>;

const WORD = 32;
const SLOTS = 1n << 256n;

/** A part of the storage that is read by itself: a value, or one whose parts are found by a key or an index. */
export interface StorageLocation extends Omit<StorageVariable, 'type'> {
  readonly type: Exclude<StorageType, { readonly kind: 'struct' }>;
}

/**
 * The places of a variable: itself, or those of its members (`limits.owner`) and elements (`steps[0]`), as many as
 * `layoutParts` allows. Arrays with more than `layoutElements` elements stay whole.
 */
export function placesOf({ types }: StorageLayout, variable: StorageVariable): readonly StorageLocation[] {
  const places: StorageLocation[] = [];
  let visits = 0;
  const visit = ({ type: id, ...at }: StorageVariable, depth: number): void => {
    const type = types.get(id);
    // a struct may be said to contain itself
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

/** The element of an array at any index; undefined for a place of another kind. */
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
 * The value of a mapping for a key; undefined for a place of another kind. `bytes` of a key are the 32 that the ABI
 * encodes a value in, or those of a text or of bytes themselves.
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

/** Elements share a slot as long as whole ones fit; one that needs slots of its own begins with a new one. */
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

/** The value at a place, by the word of its slot; undefined for a place that is no single value. */
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

/** Content of bytes or of a text, as the word of its slot says: inside of the word, or in slots after its hash. */
export type Content =
  | { readonly kind: 'inside'; readonly bytes: Uint8Array }
  | { readonly kind: 'outside'; readonly length: bigint; readonly first: bigint };

/** Reads the word of a place of bytes. */
export function contentIn(crypto: Keccak, { slot }: Pick<StorageLocation, 'slot'>, word: Uint8Array): Content {
  const lowest = word[WORD - 1] ?? 0;
  if (lowest % 2 === 0) return { kind: 'inside', bytes: word.subarray(0, Math.min(lowest / 2, WORD - 1)) };
  return { kind: 'outside', length: bigintOfBytes(word) / 2n, first: contentSlot(crypto, { slot }) };
}

/** The first slot of what lies outside of its own: elements of a list, or more than 31 bytes. */
export function contentSlot(crypto: Keccak, { slot }: Pick<StorageLocation, 'slot'>): bigint {
  return hashOf(crypto, wordOf(slot));
}

/** Indexes of the elements of an array that lie in slots. */
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

/** The value of bytes or of a text. */
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
