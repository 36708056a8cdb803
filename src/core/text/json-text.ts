/**
 * JSON and the texts of `any-text.ts`: JSON has no bytes outside of UTF-8. Go's encoder writes U+FFFD for each, and its
 * decoder reads an escape of a lone surrogate as U+FFFD, too (Go `encoding/json` encode.go appendString, decode.go
 * unquoteBytes).
 */

/** A lone surrogate as `JSON.stringify` writes it, or any other escape. */
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** `JSON.stringify` of a value that JSON has. */
export function jsonText(value: unknown): string {
  return shownJson(JSON.stringify(value) ?? 'null');
}

/** JSON of `JSON.stringify` with U+FFFD, as an escape, for lone surrogates. */
export function shownJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (escape: string, lone: string | undefined) =>
    lone === undefined ? escape : String.raw`\ufffd`,
  );
}

/** `JSON.parse` whose texts have no lone surrogates. Throws SyntaxError. */
export function parseJson(json: string): unknown {
  if (json.isWellFormed() && !SURROGATE_ESCAPE.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}
