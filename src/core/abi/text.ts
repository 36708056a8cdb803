import { hexData } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { printableJson } from '../text/printable.js';
import type { AbiValue, NamedValue } from './decode.js';
import type { Decoded } from './interfaces.js';

/** The text of an address (20 bytes): a name where there is one. */
export type NameOf = (address: Uint8Array) => string;

/** A call, error or event as text: `transfer(dev1, 5)`, with the names of its parameters where `named`. */
export function decodedText({ name, values }: Decoded, nameOf: NameOf, named = false): string {
  return `${name}(${valuesText(values, nameOf, named)})`;
}

/** Values, separated by commas. */
export function valuesText(values: readonly NamedValue[], nameOf: NameOf, named = false): string {
  return values
    .map(({ name, value }) => `${named && name !== '' ? `${name}: ` : ''}${valueText(value, nameOf)}`)
    .join(', ');
}

/** One value: numbers in decimal, texts in quotes with control characters escaped, long ones cut. */
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

/** `0x` and digits; of many bytes the first, and their number. */
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
