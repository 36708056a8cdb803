/** Forms of values in stores. */
import type { DescMessage } from '@bufbuild/protobuf';
import { bigintOfBytes, readBe64 } from '../bytes/big-endian.js';
import { text as textOf } from '../bytes/bytes.js';
import { hexData } from '../bytes/hex.js';
import { messageFields } from './message-fields.js';
import { addressText, type AddressKind, type RowValue } from './row-form.js';

/** A message, shown by its fields. */
export function message(schema: DescMessage): RowValue {
  return (value) => messageFields(schema, value);
}

/** A message with one field, whose name adds nothing to the row's name. */
export function wrapped(schema: DescMessage): RowValue {
  return (value) => messageFields(schema, value).map((field) => ({ ...field, name: '' }));
}

/** A number of exactly eight bytes, big-endian. */
export const u64: RowValue = (value) => {
  if (value.length !== 8) throw new RangeError('a number has eight bytes');
  return one(readBe64(value).toString());
};

/** Text, such as an amount in decimal digits. */
export const text: RowValue = (value) => one(textOf(value));

/** Bytes, shown in hex. */
export const bytes: RowValue = (value) => one(hexData(value));

/** A word of the EVM. */
export const word: RowValue = (value) => one(`0x${bigintOfBytes(value).toString(16)}`);

/** An address of a kind. */
export function addressOf(kind: AddressKind): RowValue {
  return (value, spelling) => one(addressText(kind, value, spelling).text);
}

/** A row whose mere presence counts. */
export const present: RowValue = () => one('present');

/** A boolean: a `BoolValue`, or one byte in homes of earlier builds. */
export const flag: RowValue = (value) => one(String((value[1] ?? value[0]) === 1));

function one(value: string): ReturnType<RowValue> {
  return [{ name: '', value }];
}
