/**
 * Makes text from strangers (contracts, memos, other nodes) safe to print: removes characters that drive a terminal
 * (ECMA-48).
 */
import { shownJson } from './json-text.js';

/** Replaces each control character of ASCII and Latin-1 by a space, except line feeds. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

/** Replaces each control character by a space, line feeds included. */
export function printableLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/**
 * JSON of a value with all control characters in strings as `\u` escapes: `JSON.stringify` does not escape those from
 * 0x7f on. Returns `null` for values that are not JSON.
 */
export function printableJson(value: unknown, indent?: number): string {
  const json = shownJson(JSON.stringify(value, undefined, indent) ?? 'null');
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
