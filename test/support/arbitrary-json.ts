/** Values that fit a JSON Schema, for the keywords that the documents of this node use. */
import fc from 'fast-check';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Lists and maps are short, because tests look at their values. */
const MOST_ITEMS = 3;

/** `components`: the schemas that `#/components/schemas/` names. */
export function arbitraryOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
): fc.Arbitrary<unknown> {
  const inside = (one: JsonSchema): fc.Arbitrary<unknown> => arbitraryOf(one, components);
  if (schema.$ref !== undefined)
    return inside(components[schema.$ref.split('/').at(-1) ?? ''] ?? unknownKeyword(schema));
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(inside));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 1 });
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return schema.pattern === undefined ? fc.string() : matching(schema.pattern);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: Math.min(schema.maximum ?? Infinity, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'array':
      return listOf(schema, inside);
    case 'object':
      return objectOf(schema, inside);
    default:
      return unknownKeyword(schema);
  }
}

/** Texts by their pattern: fast-check takes long to compile one. */
const matchings = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern; half of them have the maximum length. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = matchings.get(pattern);
  if (known !== undefined) return known;
  const longest = pattern.replaceAll(/\{\d+,(\d+)\}/g, '{$1}');
  const made = fc.oneof(...[pattern, longest].map((one) => fc.stringMatching(new RegExp(one, 'u'))));
  matchings.set(pattern, made);
  return made;
}

type Inside = (schema: JsonSchema) => fc.Arbitrary<unknown>;

function listOf(
  { items = {}, minItems = 0, maxItems = MOST_ITEMS }: JsonSchema,
  inside: Inside,
): fc.Arbitrary<unknown> {
  if (isTuple(items)) return fc.tuple(...items.map(inside));
  return fc.array(inside(items), { minLength: minItems, maxLength: Math.min(maxItems, MOST_ITEMS) });
}

function isTuple(items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}

function objectOf(schema: JsonSchema, inside: Inside): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, propertyNames, minProperties = 0 } = schema;
  if (additionalProperties !== undefined) {
    const keys = propertyNames === undefined ? fc.string() : inside(propertyNames).map(String);
    return fc.dictionary(keys, inside(additionalProperties), { minKeys: minProperties, maxKeys: MOST_ITEMS });
  }
  if (properties === undefined)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: MOST_ITEMS });
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inside(one)]));
  return fc.record(members, { requiredKeys: [...required] });
}

function unknownKeyword(schema: JsonSchema): never {
  throw new Error(`no values of ${JSON.stringify(schema)}`);
}
