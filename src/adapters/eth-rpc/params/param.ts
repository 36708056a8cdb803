/** Types of positional parameters. Error texts follow geth's decoders (v1.17 `rpc/json.go`, `common/hexutil`). */
import { BOOLEAN, type Schema } from '../schema.js';

export interface Refusal {
  readonly ok: false;
  readonly message: string;
}

export type Decoded<Value> = { readonly ok: true; readonly value: Value } | Refusal;

export interface Param<out Value> {
  /** May be absent or null; its value is then `absent`. */
  readonly optional: boolean;
  readonly absent: Value | undefined;
  /** Name in documents. */
  readonly label: string;
  /** `decode` takes every value that fits. */
  readonly schema: Schema;
  /** True for a value that names the block `pending`, which is made before the method runs. */
  isPending?(value: Value): boolean;
  /** Decodes parsed JSON other than null. `message` follows `invalid argument N: `. */
  decode(value: unknown): Decoded<Value>;
}

/** A parameter that must be there. */
export function required<Value>(
  label: string,
  schema: Schema,
  decode: (value: unknown) => Decoded<Value>,
): Param<Value> {
  return { label, schema, optional: false, absent: undefined, decode };
}

/** A parameter that may be absent or null, and is undefined then. */
export function optional<Value>(param: Param<Value>): Param<Value | undefined> {
  return { ...param, optional: true };
}

/** An optional parameter; `absent` is its value when it is left out. */
export function withDefault<Value>(param: Param<Value>, absent: Value): Param<Value> {
  return { ...param, optional: true, absent };
}

/** A value that was decoded. */
export function good<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** A refusal; `message` goes to the client. */
export function bad(message: string): Refusal {
  return { ok: false, message };
}

/** Go's name for the kind of a JSON value. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The position of a value in Go's words: its type, and the field that holds it. */
export interface Place {
  readonly type: string;
  readonly field?: string | undefined;
}

/** The refusal of Go's JSON decoder, which found `what` in place of the type. */
export function cannotUnmarshal(what: string, { type, field }: Place): Refusal {
  const place = field === undefined ? 'Go value' : `Go struct field ${field}`;
  return bad(`json: cannot unmarshal ${what} into ${place} of type ${type}`);
}

/** Go's refusal of a value whose kind does not fit the type. */
export function wrongKind(value: unknown, type: string, field?: string): Refusal {
  return cannotUnmarshal(kindOf(value), { type, field });
}

/** Decodes items one by one; the first refusal is that of the list. */
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

/** The members that are not undefined. */
export function present<Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  // members without a value are left out, which the type of `fromEntries` cannot say
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof present<Values>
  >;
}

export const bool: Param<boolean> = required('boolean', BOOLEAN, (value) =>
  typeof value === 'boolean' ? good(value) : wrongKind(value, 'bool'),
);
