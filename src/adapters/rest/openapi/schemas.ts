/** JSON schemas (OpenAPI 3.0) of the gateway's messages. */
import { ScalarType, type DescEnum, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { isNullable } from '../../../core/sdk/codec/nullable.js';
import { goTypeOf, isWide } from '../json/go-types.js';

export type Schema = Readonly<Record<string, unknown>>;

const TIME: Schema = { type: 'string', format: 'date-time' };
const DURATION: Schema = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?s$' };
const ANY: Schema = {
  type: 'object',
  properties: { '@type': { type: 'string' } },
  required: ['@type'],
  additionalProperties: true,
};
const WELL_KNOWN: ReadonlyMap<string, Schema> = new Map([
  ['google.protobuf.Timestamp', TIME],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Any', ANY],
]);

/** The error of every call, google.rpc.Status. */
const STATUS_SCHEMA: Schema = {
  type: 'object',
  properties: {
    code: { type: 'integer', format: 'int32' },
    message: { type: 'string' },
    details: { type: 'array', items: ANY },
  },
};
export const STATUS_NAME = 'google.rpc.Status';

/** Collects schemas of messages and their nested messages, by name. */
export class Schemas {
  readonly #made = new Map<string, Schema>([[STATUS_NAME, STATUS_SCHEMA]]);

  /** All collected schemas, sorted by name. */
  all(): Schema {
    return Object.fromEntries([...this.#made].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to the message's schema. */
  message(desc: DescMessage): Schema {
    const known = WELL_KNOWN.get(desc.typeName);
    if (known !== undefined) return known;
    if (!this.#made.has(desc.typeName)) {
      // set before its fields are visited, because a message may contain itself
      this.#made.set(desc.typeName, {});
      this.#made.set(desc.typeName, {
        type: 'object',
        properties: Object.fromEntries(desc.fields.map((field) => [field.name, this.field(field)])),
      });
    }
    return reference(desc.typeName);
  }

  field(field: DescField): Schema {
    if (field.fieldKind === 'list') return { type: 'array', items: this.#one(field) };
    if (field.fieldKind === 'map') return { type: 'object', additionalProperties: this.#one(field) };
    const schema = this.#one(field);
    if (field.fieldKind !== 'message' || !isNullable(field) || field.oneof !== undefined) return schema;
    // `nullable` requires a `type` in the same object (OpenAPI 3.0.3, Schema Object), and a reference allows no
    // siblings
    return '$ref' in schema ? { type: 'object', nullable: true, allOf: [schema] } : { ...schema, nullable: true };
  }

  /** Schema of a path or query parameter, which is never null. */
  parameter(field: DescField): Schema {
    const { nullable: _, ...schema } = this.field(field);
    return schema;
  }

  #one(field: DescField): Schema {
    if (field.message !== undefined) return this.message(field.message);
    if (field.enum !== undefined) return enumSchema(field.enum);
    return scalarSchema(field.scalar ?? ScalarType.STRING, field);
  }
}

/** A reference to the schema of this name in the document. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function enumSchema({ values }: DescEnum): Schema {
  return { type: 'string', enum: values.map(({ name }) => name) };
}

function scalarSchema(scalar: ScalarType, field: DescField): Schema {
  if (isWide(scalar))
    return {
      type: 'string',
      format: scalar === ScalarType.UINT64 || scalar === ScalarType.FIXED64 ? 'uint64' : 'int64',
    };
  const goType = goTypeOf(field);
  if (goType !== 'plain') return { type: 'string', format: goType, ...(isNullable(field) && { nullable: true }) };
  if (scalar === ScalarType.STRING) return { type: 'string' };
  if (scalar === ScalarType.BYTES) return { type: 'string', format: 'byte', nullable: true };
  if (scalar === ScalarType.BOOL) return { type: 'boolean' };
  if (scalar === ScalarType.FLOAT || scalar === ScalarType.DOUBLE) return { type: 'number' };
  return {
    type: 'integer',
    format: scalar === ScalarType.UINT32 || scalar === ScalarType.FIXED32 ? 'uint32' : 'int32',
  };
}
