/**
 * `rpc_discover`: the served methods as an OpenRPC document (https://spec.open-rpc.org, 1.3), generated from the
 * method registry on the first call.
 */
import { type Method, method, ok } from './method.js';
import { type Schema, objectOf } from './schema.js';

const OPENRPC = '1.3.2';
const DOCUMENT = objectOf({
  openrpc: { type: 'string' },
  info: { type: 'object' },
  methods: { type: 'array' },
  components: { type: 'object' },
});

/** Creates the method `rpc_discover`; `rows`: the other served methods. */
export function discoverMethod(rows: readonly Method[]): Method {
  let document: string | undefined;
  const discover: Method = method(
    'rpc_discover',
    'This document: the methods that are served (OpenRPC)',
    [],
    DOCUMENT,
    (_values, { clientVersion }) => {
      document ??= JSON.stringify(documentOf([...rows, discover], clientVersion));
      return ok(document);
    },
  );
  return discover;
}

function documentOf(rows: readonly Method[], version: string) {
  const schemas = new Components();
  const methods = rows
    .filter(({ alwaysRefuses }) => alwaysRefuses !== true)
    .map((row) => described(row, schemas))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return {
    openrpc: OPENRPC,
    info: { title: 'Ethereum JSON-RPC', version },
    methods,
    components: { schemas: schemas.byTitle() },
  };
}

function described({ name, summary, params, result }: Method, schemas: Components) {
  return {
    name,
    summary,
    params: params.map(({ label, optional, schema }, index) => ({
      name: uniqueName(params, index, label),
      required: !optional,
      schema: schemas.referred(schema),
    })),
    result: { name: 'result', schema: schemas.referred(result) },
    paramStructure: 'by-position',
  };
}

/**
 * Returns a parameter name that is unique in its method (OpenRPC 1.3, Method Object): a repeated label gets its
 * position.
 */
function uniqueName(params: Method['params'], index: number, label: string): string {
  return params.filter((param) => param.label === label).length === 1 ? label : `${label}${index + 1}`;
}

/** Schemas with a title, which the document lists once and references. */
class Components {
  readonly #known = new Map<string, { readonly schema: Schema; readonly shown: unknown }>();

  byTitle(): Readonly<Record<string, unknown>> {
    const sorted = [...this.#known].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(sorted.map(([title, { shown }]) => [title, shown]));
  }

  /** Replaces titled schemas in a schema by references. */
  referred(schema: Schema): unknown {
    const { title } = schema;
    if (title === undefined) return this.#inside(schema);
    const known = this.#known.get(title);
    if (known === undefined) this.#known.set(title, { schema, shown: this.#inside(schema) });
    else if (known.schema !== schema) throw new Error(`invariant: two schemas have the title ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  }

  #inside({ items, properties, propertyNames, additionalProperties, anyOf, ...others }: Schema): unknown {
    return {
      ...others,
      ...(items !== undefined && {
        items: isList(items) ? items.map((one) => this.referred(one)) : this.referred(items),
      }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.referred(one)])),
      }),
      ...(propertyNames !== undefined && { propertyNames: this.referred(propertyNames) }),
      ...(additionalProperties !== undefined && { additionalProperties: this.referred(additionalProperties) }),
      ...(anyOf !== undefined && { anyOf: anyOf.map((one) => this.referred(one)) }),
    };
  }
}

function isList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}
