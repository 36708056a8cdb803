import type { DescMessage } from '@bufbuild/protobuf';
import { utf8 } from '../bytes/bytes.js';
import type { KeyPart, RowForm, RowValue } from './row-form.js';
import { message, present } from './row-values.js';

/** A byte, or a text. */
type Start = number | string;

/**
 * A row whose key begins with a byte or a text, with the parts of the rest of its key; a value is a message, or as its
 * function reads it.
 */
export function row(start: Start, name: string, key: readonly KeyPart[], value: RowValue | DescMessage): RowForm {
  const prefix = typeof start === 'number' ? Uint8Array.of(start) : utf8(start);
  return { prefix, name, key, value: typeof value === 'function' ? value : message(value) };
}

/** A row that repeats what others say. */
export function index(
  start: Start,
  name: string,
  key: readonly KeyPart[],
  value: RowValue | DescMessage = present,
): RowForm {
  return { ...row(start, name, key, value), isIndex: true };
}
