import { parse, TomlError } from 'smol-toml';
import { nearest } from '../core/text/nearest.js';
import type { OptionSpec } from './option-spec.js';

export type TomlValues =
  | { readonly ok: true; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly message: string };

/**
 * Reads chronicled.toml: sections are the parts of dotted keys before the last; unknown keys fail with the nearest
 * known one.
 */
export function readOwnToml(file: string, text: string, options: readonly OptionSpec[]): TomlValues {
  const read = readToml(file, text);
  if (!read.ok) return read;
  const keys = options.map(({ key }) => key);
  for (const key of read.values.keys()) {
    if (keys.includes(key)) continue;
    const hint = nearest(key, keys);
    return { ok: false, message: `${file}: unknown key ${key}${hint === undefined ? '' : `; did you mean ${hint}?`}` };
  }
  return read;
}

/** Every scalar of a toml file by its dotted key; arrays are joined with commas. */
export function readToml(file: string, text: string): TomlValues {
  try {
    const values = new Map<string, string>();
    flatten(parse(text), '', values);
    return { ok: true, values };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return {
      ok: false,
      message: `${file}:${error.line}:${error.column}: ${error.message.split('\n')[0] ?? 'not toml'}`,
    };
  }
}

function flatten(table: object, prefix: string, values: Map<string, string>): void {
  for (const [name, value] of Object.entries(table)) {
    const key = `${prefix}${name}`;
    if (Array.isArray(value)) values.set(key, value.join(','));
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) flatten(value, `${key}.`, values);
    else values.set(key, String(value));
  }
}
