/**
 * JSON for the strings of `src/core/bytes/any-text.ts`, because JSON must be UTF-8. Like Go, each invalid byte
 * becomes U+FFFD when writing, and an escaped lone surrogate becomes U+FFFD when reading (Go `encoding/json`
 * encode.go appendString, decode.go unquoteBytes).
 */

/** A lone surrogate as `JSON.stringify` escapes it, or any other escape. */
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** `JSON.stringify` for a JSON value, with U+FFFD for lone surrogates. */
export function jsonText(value: unknown): string {
  return shownJson(JSON.stringify(value) ?? 'null');
}

/** Replaces lone surrogates in the output of `JSON.stringify` by escaped U+FFFD. */
export function shownJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (escape: string, lone: string | undefined) =>
    lone === undefined ? escape : String.raw`\ufffd`,
  );
}

/** `JSON.parse` with U+FFFD for lone surrogates. Throws SyntaxError. */
export function parseJson(json: string): unknown {
  if (json.isWellFormed() && !SURROGATE_ESCAPE.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}
