/** Types of positional parameters. Error texts follow geth's decoders (v1.17 `rpc/json.go`, `common/hexutil`). */
import { BOOLEAN, type Schema } from '../schema.js';

export type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

export interface Param<out Value> {
  /** May be absent or null; its value is then `absent`. */
  readonly optional: boolean;
  readonly absent: Value | undefined;
  /** Name in documents. */
  readonly label: string;
  /** `decode` takes every value that fits. */
  readonly schema: Schema;
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
export function bad(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

/** Go's name for the kind of a JSON value. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

export const bool: Param<boolean> = required('boolean', BOOLEAN, (value) =>
  typeof value === 'boolean' ? good(value) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type bool`),
);
