/**
 * Storage layouts as solc outputs them (docs.soliditylang.org, "Layout of State Variables in Storage", JSON output).
 */
import { FIXED_LIMITS } from '../limits/limits.js';
import { asObject } from '../text/json-object.js';
import { type AbiType, typeOf } from './type.js';

const WORD = 32;

/** A variable or a member: type id, slot, and byte offset within the slot, from the lowest byte. */
export interface StorageVariable {
  readonly name: string;
  readonly type: string;
  readonly slot: bigint;
  readonly offset: number;
}

/** Type of variables; `size` is the number of bytes of a variable, `label` its name in the source. */
export type StorageType = { readonly label: string; readonly size: number } & (
  | {
      readonly kind: 'value';
      /** Undefined for a type that the ABI does not have, such as a user-defined one. */
      readonly type: AbiType | undefined;
    }
  /** Slots of members are relative to the struct's. */
  | { readonly kind: 'struct'; readonly members: readonly StorageVariable[] }
  /** `length` is undefined for a dynamic array, whose length is in its first slot. */
  | { readonly kind: 'array'; readonly of: string; readonly length: bigint | undefined }
  | { readonly kind: 'bytes'; readonly isText: boolean }
  | { readonly kind: 'mapping'; readonly key: string; readonly value: string }
);

export interface StorageLayout {
  readonly variables: readonly StorageVariable[];
  readonly types: ReadonlyMap<string, StorageType>;
}

/** Reads the layout from compiler JSON; undefined for other JSON, and for more than `layoutParts` parts. */
export function storageLayoutOf(json: unknown): StorageLayout | undefined {
  const { storage, types } = asObject(json) ?? {};
  const variables = variablesOf(storage);
  // A contract without variables has null types.
  const entries = types === null ? [] : Object.entries(asObject(types) ?? {});
  if (variables === undefined || variables.length === 0 || entries.length > FIXED_LIMITS.layoutParts) return undefined;
  const read = new Map<string, StorageType>();
  for (const [id, entry] of entries) {
    const type = storageTypeOf(id, entry);
    if (type === undefined) return undefined;
    read.set(id, type);
  }
  const isKnown = [...read.values()].every((type) => typesIn(type).every((id) => read.has(id)));
  return isKnown && variables.every(({ type }) => read.has(type)) ? { variables, types: read } : undefined;
}

/** Ids of the types that a type refers to. */
function typesIn(type: StorageType): readonly string[] {
  switch (type.kind) {
    case 'value':
    case 'bytes':
      return [];
    case 'struct':
      return type.members.map((member) => member.type);
    case 'array':
      return [type.of];
    case 'mapping':
      return [type.key, type.value];
  }
}

function variablesOf(json: unknown): readonly StorageVariable[] | undefined {
  if (!Array.isArray(json) || json.length > FIXED_LIMITS.layoutParts) return undefined;
  const variables = json.map(variableOf);
  const known = variables.filter((one) => one !== undefined);
  return known.length === variables.length ? known : undefined;
}

function variableOf(json: unknown): StorageVariable | undefined {
  const { label, type, slot, offset } = asObject(json) ?? {};
  if (typeof label !== 'string' || typeof type !== 'string') return undefined;
  if (typeof slot !== 'string' || !/^[0-9]{1,78}$/.test(slot)) return undefined;
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0 || offset >= WORD) return undefined;
  return { name: cut(label), type, slot: BigInt(slot), offset };
}

function storageTypeOf(id: string, json: unknown): StorageType | undefined {
  const { encoding, label, numberOfBytes, base, key, value, members } = asObject(json) ?? {};
  if (typeof label !== 'string' || typeof numberOfBytes !== 'string') return undefined;
  // An array may be as large as the whole storage.
  if (!/^[1-9][0-9]{0,78}$/.test(numberOfBytes)) return undefined;
  const common = { label: cut(label), size: Number(numberOfBytes) };
  switch (encoding) {
    case 'mapping':
      return typeof key === 'string' && typeof value === 'string'
        ? { ...common, kind: 'mapping', key, value }
        : undefined;
    case 'dynamic_array':
      return typeof base === 'string' ? { ...common, kind: 'array', of: base, length: undefined } : undefined;
    case 'bytes':
      return { ...common, kind: 'bytes', isText: label === 'string' };
    case 'inplace': {
      if (members !== undefined) {
        const read = variablesOf(members);
        return read && { ...common, kind: 'struct', members: read };
      }
      if (base === undefined) return common.size > WORD ? undefined : { ...common, kind: 'value', type: abiType(id) };
      const length = /\[([0-9]{1,78})\]$/.exec(label)?.[1];
      return typeof base === 'string' && length !== undefined
        ? { ...common, kind: 'array', of: base, length: BigInt(length) }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** ABI type from a type id; labels are not used, because they may contain user-defined names. */
function abiType(id: string): AbiType | undefined {
  if (/^t_(address|contract\()/.test(id)) return typeOf('address');
  if (id.startsWith('t_enum(')) return typeOf('uint8');
  const name = /^t_(bool|u?int[0-9]+|bytes[0-9]+)$/.exec(id)?.[1];
  return name === undefined ? undefined : typeOf(name);
}

function cut(text: string): string {
  return text.slice(0, FIXED_LIMITS.identifierCharacters);
}
