/**
 * Typed data whose types are derived from JSON values (cosmos/evm v0.6 `ethereum/eip712/types.go` and `message.go`).
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { asObject } from '../../../text/json-object.js';
import { membersOf, typedData, type TypedMember, type TypedMembers, structNameOf } from './type-names.js';

/** Maximum number of types with one base name. */
const SAME_NAMES = 1_000;

/**
 * Typed data of a transaction; its messages are members `msg0`, `msg1` and so on, each with its own type. Undefined
 * when a message has no name or too many types share one.
 */
export function typedDataByValues(document: JsonObject, evmChainId: bigint): object | undefined {
  const { msgs, ...rest } = document;
  if (!Array.isArray(msgs)) return undefined;
  const types: TypedMembers = { Fee: membersOf('Coin[] amount', 'string gas') };
  const messages: TypedMember[] = [];
  for (const [index, message] of msgs.entries()) {
    const name = isJsonObject(message) ? message['type'] : undefined;
    if (typeof name !== 'string' || !isJsonObject(message)) return undefined;
    const type = addType(types, `Type${name.slice(name.lastIndexOf('/') + 1)}`, '_', message);
    if (type === undefined) return undefined;
    messages.push({ name: `msg${index}`, type });
  }
  types['Tx'] = [
    ...membersOf('string account_number', 'string chain_id', 'Fee fee', 'string memo', 'string sequence'),
    ...messages,
  ];
  const message = { ...rest, ...Object.fromEntries(msgs.map((one, index) => [`msg${index}`, one])) };
  return typedData(types, message, evmChainId);
}

/** Adds the types of an object and of nested ones; returns its type name, which ends with a number. */
function addType(types: TypedMembers, root: string, path: string, value: JsonObject): string | undefined {
  const members: TypedMember[] = [];
  // Descending order of names, as by strings.Compare.
  for (const name of Object.keys(value).toSorted().toReversed()) {
    const member = value[name];
    const list = Array.isArray(member);
    const first = list ? member[0] : member;
    if (list && member.length === 0) members.push({ name, type: 'string[]' });
    const type = isJsonObject(first) ? addType(types, root, `${path}.${name}`, first) : PRIMITIVES[typeof first];
    if (isJsonObject(first) && type === undefined) return undefined;
    // Null and nested lists have no type; typed data ignores their values.
    if (type !== undefined) members.push({ name, type: list ? `${type}[]` : type });
  }
  const base = path === '_' ? root : structNameOf(path);
  for (let index = 0; index < SAME_NAMES; index++) {
    const name = `${base}${index}`;
    const known = types[name];
    if (known !== undefined && !isSame(known, members)) continue;
    types[name] = members;
    return name;
  }
  return undefined;
}

const PRIMITIVES: Readonly<Record<string, string | undefined>> = {
  boolean: 'bool',
  number: 'int64',
  string: 'string',
};

function isSame(left: readonly TypedMember[], right: readonly TypedMember[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ name, type }, index) => name === right[index]?.name && type === right[index].type)
  );
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return asObject(value) !== undefined;
}
