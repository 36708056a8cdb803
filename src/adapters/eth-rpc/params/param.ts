/** Positional parameters. Error texts follow geth's decoders (v1.17 `rpc/json.go`, `common/hexutil`). */
import { BOOLEAN, type Schema } from '../schema.js';

export interface Refusal {
  readonly ok: false;
  readonly message: string;
}

export type Decoded<Value> = { readonly ok: true; readonly value: Value } | Refusal;

export interface Param<out Value> {
  /** True if the parameter may be absent or null; its value is then `absent`. */
  readonly optional: boolean;
  readonly absent: Value | undefined;
  /** Name in documents. */
  readonly label: string;
  /** Schema of the usual values; `decode` accepts at least these. */
  readonly schema: Schema;
  /** True for a value that refers to the pending block, which is then built before the method runs. */
  isPending?(value: Value): boolean;
  /** Decodes a JSON value other than null. Error messages follow `invalid argument N: `. */
  decode(value: unknown): Decoded<Value>;
}

/** Creates a required parameter. */
export function required<Value>(
  label: string,
  schema: Schema,
  decode: (value: unknown) => Decoded<Value>,
): Param<Value> {
  return { label, schema, optional: false, absent: undefined, decode };
}

/** Makes a parameter optional; undefined if it is absent or null. */
export function optional<Value>(param: Param<Value>): Param<Value | undefined> {
  return { ...param, optional: true };
}

/** Makes a parameter optional, with a default. */
export function withDefault<Value>(param: Param<Value>, absent: Value): Param<Value> {
  return { ...param, optional: true, absent };
}

/** A successful decoding. */
export function good<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** A failed decoding; `message` goes to the client. */
export function bad(message: string): Refusal {
  return { ok: false, message };
}

/** Go's name for the kind of a JSON value. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Where a value is, for Go's error texts: its Go type, and the field. */
export interface Place {
  readonly type: string;
  readonly field?: string | undefined;
}

/** The error of Go's JSON decoder that found `what` instead of the type. */
export function cannotUnmarshal(what: string, { type, field }: Place): Refusal {
  const place = field === undefined ? 'Go value' : `Go struct field ${field}`;
  return bad(`json: cannot unmarshal ${what} into ${place} of type ${type}`);
}

/** Go's error for a JSON value of the wrong kind. */
export function wrongKind(value: unknown, type: string, field?: string): Refusal {
  return cannotUnmarshal(kindOf(value), { type, field });
}

/** Decodes each item; fails with the first error. */
export function decodeEach<Item, Value, Refused extends { readonly ok: false } = Refusal>(
  items: Iterable<Item>,
  decode: (item: Item, index: number) => { readonly ok: true; readonly value: Value } | Refused,
): { readonly ok: true; readonly value: readonly Value[] } | Refused {
  const values: Value[] = [];
  for (const item of items) {
    const decoded = decode(item, values.length);
    if (!decoded.ok) return decoded;
    values.push(decoded.value);
  }
  return good(values);
}

/** Removes undefined members. */
export function present<Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  // the type of `fromEntries` cannot express the removed members
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof present<Values>
  >;
}

export const bool: Param<boolean> = required('boolean', BOOLEAN, (value) =>
  typeof value === 'boolean' ? good(value) : wrongKind(value, 'bool'),
);
