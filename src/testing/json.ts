import { isObject, jsonOf } from '../core/text/json-object.js';

/** JSON from an untrusted server. */
export type Json = Readonly<Record<string, unknown>>;

/** The object or list of a text; undefined when the text is neither. */
export function parsed(text: string): Json | readonly unknown[] | undefined {
  const value = jsonOf(text);
  return isObject(value) || Array.isArray(value) ? value : undefined;
}

/** Member names of `object` that are not in `known`. */
export function membersBeside(object: Json, known: readonly string[]): readonly string[] {
  return Object.keys(object).filter((name) => !known.includes(name));
}
