/**
 * JSON Schemas (draft 7) of parameters and results. A parameter's schema describes its usual forms: the decoder
 * accepts every value that fits, and possibly others, such as bech32 for an address.
 */

export interface Schema {
  /** A schema with a title is listed once in a document (`discover.ts`) under this name. */
  readonly title?: string;
  /** A note on what the other keywords cannot express. */
  readonly description?: string;
  readonly type?: 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';
  readonly pattern?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Schema of all items, or of each item by position. */
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Any value. */
export const ANYTHING: Schema = {};
export const BOOLEAN: Schema = { type: 'boolean' };
export const TEXT: Schema = { type: 'string' };
export const NULL: Schema = { type: 'null' };

/** Bytes in hex, of a fixed or any length. */
export const ADDRESS: Schema = fixedBytes('Address', 20);
export const HASH: Schema = fixedBytes('Hash', 32);
export const DATA: Schema = { title: 'Data', type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' };
/** Whole numbers in hex without leading zeros, of at most 256 and 64 bits. */
export const QUANTITY: Schema = quantityOf('Quantity', 256);
export const QUANTITY_64: Schema = quantityOf('Quantity64', 64);
/** A whole number that a JSON number represents exactly. */
export const COUNT: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** Schema of `length` bytes in hex. */
export function fixedBytes(title: string, length: number): Schema {
  return { title, type: 'string', pattern: `^0x[0-9a-fA-F]{${length * 2}}$` };
}

/** Schema of a whole number in hex without leading zeros; `bits` is a multiple of 4. */
export function quantityOf(title: string, bits: number): Schema {
  return { title, type: 'string', pattern: `^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,${bits / 4 - 1}})$` };
}

/** Schema of one of these texts. */
export function oneOfTexts(...texts: readonly string[]): Schema {
  return { type: 'string', enum: texts };
}

/** Schema of a list of at most `maxItems` items. */
export function listOf(items: Schema, maxItems?: number): Schema {
  return { type: 'array', items, ...(maxItems !== undefined && { maxItems }) };
}

/** Schema of a list of exactly these items. */
export function tupleOf(...items: readonly Schema[]): Schema {
  return { type: 'array', items, minItems: items.length, maxItems: items.length };
}

/** Schema of a value that fits at least one of these. */
export function anyOf(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

/** Schema of a value that may be null. */
export function orNull(schema: Schema): Schema {
  return anyOf(schema, NULL);
}

/** Schema of an object with arbitrary keys. */
export function mapOf(keys: Schema, values: Schema): Schema {
  return { type: 'object', propertyNames: keys, additionalProperties: values };
}

/** Schema of an object with these members. All are required unless `required` lists the required ones. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}
