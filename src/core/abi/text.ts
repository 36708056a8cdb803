import { hexData } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { printableJson } from '../text/printable.js';
import type { AbiValue, NamedValue } from './decode.js';
import type { Decoded } from './interfaces.js';

/** Formats an address (20 bytes), by name if it has one. */
export type NameOf = (address: Uint8Array) => string;

/** Formats a call, error or event as `transfer(dev1, 5)`, with parameter names if `named`. */
export function decodedText({ name, values }: Decoded, nameOf: NameOf, named = false): string {
  return `${name}(${valuesText(values, nameOf, named)})`;
}

/** Formats values, separated by commas. */
export function valuesText(values: readonly NamedValue[], nameOf: NameOf, named: boolean): string {
  return values
    .map(({ name, value }) => `${named && name !== '' ? `${name}: ` : ''}${valueText(value, nameOf)}`)
    .join(', ');
}

/**
 * Formats one value: numbers in decimal, strings quoted with escaped control characters; long values are shortened.
 */
export function valueText(value: AbiValue, nameOf: NameOf): string {
  switch (value.kind) {
    case 'number':
      return value.value.toString();
    case 'bool':
      return String(value.value);
    case 'address':
      return nameOf(value.value);
    case 'bytes':
      return bytesText(value.value);
    case 'string':
      return printableJson(cut(value.value));
    case 'list':
      return `[${listText(value.items.map((item) => valueText(item, nameOf)))}]`;
    case 'struct':
      return `(${valuesText(value.members, nameOf, true)})`;
  }
}

/** Formats bytes as `0x` and digits; of long bytes only the first, followed by the length. */
export function bytesText(bytes: Uint8Array): string {
  const { shownBytes } = FIXED_LIMITS;
  return bytes.length <= shownBytes
    ? hexData(bytes)
    : `${hexData(bytes.subarray(0, shownBytes))}… (${bytes.length} bytes)`;
}

function listText(items: readonly string[]): string {
  const { shownItems } = FIXED_LIMITS;
  return items.length <= shownItems
    ? items.join(', ')
    : `${items.slice(0, shownItems).join(', ')}, … (${items.length} items)`;
}

function cut(text: string): string {
  const { shownCharacters } = FIXED_LIMITS;
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}
