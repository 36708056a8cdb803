/**
 * Texts of strangers (contracts, memos, other nodes) hold no character that drives a terminal (ECMA-48) when they are
 * shown.
 */
import { shownJson } from './json-text.js';

/** The text with a space for each control character of ASCII and Latin-1 but the line feed. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

/** The text in one line: with a space for each control character. */
export function printableLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/**
 * A value as JSON with all control characters in its texts as `\u` escapes: `JSON.stringify` leaves those from 0x7f on.
 * `null` for values that JSON does not have.
 */
export function printableJson(value: unknown, indent?: number): string {
  const json = shownJson(JSON.stringify(value, undefined, indent) ?? 'null');
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
