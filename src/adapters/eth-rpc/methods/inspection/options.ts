/** Option fields of `chronicle_*` methods. */
import { bool, bad, good, wrongKind } from '../../params/param.js';
import { fieldOf, looseQuantity, type Field } from '../../params/fields.js';
import * as schema from '../../schema.js';

export const textField: Field<string> = {
  type: 'string',
  schema: schema.TEXT,
  decode: (value, { field }) => (typeof value === 'string' ? good(value) : wrongKind(value, 'string', field)),
};

export const boolField: Field<boolean> = fieldOf(bool);

/** Field with the number of items in an answer: from 1 to `maximum`. */
export function limitField(limit: string, maximum: number): Field<number> {
  return {
    type: looseQuantity.type,
    schema: { type: 'integer', minimum: 1, maximum },
    decode(value, place) {
      const read = looseQuantity.decode(value, place);
      if (!read.ok) return read;
      if (read.value < 1n) return bad(`${place.field ?? 'limit'} is less than 1`);
      return read.value > BigInt(maximum) ? bad(`limit ${limit} (${maximum}) exceeded`) : good(Number(read.value));
    },
  };
}

/** Field with one of these texts. */
export function oneOfField<const Text extends string>(...texts: readonly Text[]): Field<Text> {
  return {
    type: 'string',
    schema: schema.oneOfTexts(...texts),
    decode(value, { field = '' }) {
      const found = texts.find((text) => text === value);
      return found === undefined ? bad(`${field} is none of ${texts.join(', ')}`) : good(found);
    },
  };
}

/** Field with milliseconds to wait, at most `maximum`. */
export function waitField(limit: string, maximum: number): Field<number> {
  return {
    type: looseQuantity.type,
    schema: { type: 'integer', minimum: 0, maximum },
    decode(value, place) {
      const read = looseQuantity.decode(value, place);
      if (!read.ok) return read;
      return read.value > BigInt(maximum) ? bad(`limit ${limit} (${maximum}) exceeded`) : good(Number(read.value));
    },
  };
}

/** Schema of a decimal number as text. */
export const DECIMAL: schema.Schema = { type: 'string', pattern: '^[0-9]+$' };
