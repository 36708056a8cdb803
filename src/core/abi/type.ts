/** Types of Solidity's ABI (docs.soliditylang.org, "Contract ABI Specification"). */
import { asObject } from '../text/json-object.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { isIdentifier } from './identifier.js';

export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'function' }
  /** `size` is undefined for dynamic bytes. */
  | { readonly kind: 'bytes'; readonly size: number | undefined }
  /** `length` is undefined for a dynamic array. */
  | { readonly kind: 'array'; readonly of: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[] };

export interface AbiParameter {
  /** Empty for an unnamed parameter, and for one whose name is not an identifier. */
  readonly name: string;
  readonly type: AbiType;
  /** True for event parameters that are topics. */
  readonly indexed: boolean;
}

/** Canonical type name as in signatures, for example `(address,uint256)[]`. */
export function typeText(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`;
    case 'bytes':
      return `bytes${type.size ?? ''}`;
    case 'array':
      return `${typeText(type.of)}[${type.length ?? ''}]`;
    case 'tuple':
      return `(${type.members.map((member) => typeText(member.type)).join(',')})`;
    case 'address':
    case 'bool':
    case 'string':
    case 'function':
      return type.kind;
  }
}

/** True for a dynamic type, which is encoded through an offset. */
export function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'string':
      return true;
    case 'bytes':
      return type.size === undefined;
    case 'array':
      return type.length === undefined || isDynamic(type.of);
    case 'tuple':
      return type.members.some((member) => isDynamic(member.type));
    case 'uint':
    case 'int':
    case 'address':
    case 'bool':
    case 'function':
      return false;
  }
}

/** Bytes of the type in the head of an encoding. */
export function headBytes(type: AbiType): number {
  if (isDynamic(type)) return 32;
  if (type.kind === 'array') return (type.length ?? 0) * headBytes(type.of);
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headBytes(member.type), 0);
  return 32;
}

/** Parses parameters from compiler JSON; undefined when a type is unknown. */
export function parametersOf(json: unknown, depth = 0): readonly AbiParameter[] | undefined {
  if (!Array.isArray(json) || json.length > FIXED_LIMITS.abiParameters || depth > FIXED_LIMITS.abiDepth)
    return undefined;
  const parameters: AbiParameter[] = [];
  for (const entry of json) {
    const { name, type: text, components, indexed } = asObject(entry) ?? {};
    if (typeof text !== 'string') return undefined;
    const members = text.startsWith('tuple') ? parametersOf(components, depth + 1) : [];
    const type = members && typeOf(text, members);
    if (type === undefined) return undefined;
    parameters.push({ name: isIdentifier(name) ? name : '', type, indexed: indexed === true });
  }
  return parameters;
}

/** Parses a type such as `uint8[2][]`; `members` are those of a `tuple`. Undefined for other text. */
export function typeOf(text: string, members: readonly AbiParameter[] = []): AbiType | undefined {
  const [, name, arrays = ''] = /^([a-z]+[0-9]*)((?:\[[0-9]{0,6}\]){0,8})$/.exec(text) ?? [];
  let type = name === undefined ? undefined : plainType(name, members);
  for (const [, length = ''] of arrays.matchAll(/\[([0-9]*)\]/g))
    type = type && { kind: 'array', of: type, length: length === '' ? undefined : Number(length) };
  return type;
}

function plainType(name: string, members: readonly AbiParameter[]): AbiType | undefined {
  switch (name) {
    case 'tuple':
      return { kind: 'tuple', members };
    case 'address':
    case 'bool':
    case 'string':
    case 'function':
      return { kind: name };
    case 'bytes':
      return { kind: 'bytes', size: undefined };
    case 'uint':
    case 'int':
      return { kind: name, bits: 256 };
    default: {
      const [, kind, digits] = /^(uint|int|bytes)([1-9][0-9]{0,2})$/.exec(name) ?? [];
      const size = Number(digits);
      if (kind === 'bytes') return size <= 32 ? { kind, size } : undefined;
      if (kind !== 'uint' && kind !== 'int') return undefined;
      return size <= 256 && size % 8 === 0 ? { kind, bits: size } : undefined;
    }
  }
}
