import type { DescMessage } from '@bufbuild/protobuf';
import { utf8 } from '../bytes/bytes.js';
import type { KeyPart, RowForm, RowValue } from './row-form.js';
import { message, present } from './row-values.js';

/** Prefix of a key: a byte or text. */
type Start = number | string;

/**
 * Creates the form of a row: key prefix, the other parts of its key, and its value as a message or a function that
 * reads it.
 */
export function row(start: Start, name: string, key: readonly KeyPart[], value: RowValue | DescMessage): RowForm {
  const prefix = typeof start === 'number' ? Uint8Array.of(start) : utf8(start);
  return { prefix, name, key, value: typeof value === 'function' ? value : message(value) };
}

/** Creates the form of an index row, which repeats other rows. */
export function index(
  start: Start,
  name: string,
  key: readonly KeyPart[],
  value: RowValue | DescMessage = present,
): RowForm {
  return { ...row(start, name, key, value), isIndex: true };
}
