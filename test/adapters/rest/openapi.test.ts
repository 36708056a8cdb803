/** The OpenAPI document is compared with the real answers of the REST gateway. */
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRest } from '../../../src/adapters/rest/index.js';
import type { HttpHandler } from '../../../src/adapters/transport/index.js';
import { recordedServices } from '../services/recorded-services.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { ask } from './ask.js';
import { skippedExchange, type Exchange } from './recorded-exchanges.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  };
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

describe.skipIf(!hasGolden)('the OpenAPI document', () => {
  let face: HttpHandler;
  let text: string;
  let document: Document;
  beforeAll(async () => {
    face = createRest((await recordedServices(557n)).services, { version: '1.2.3' });
    text = (await ask(face, { method: 'GET', path: '/openapi.json' })).body;
    document = JSON.parse(text);
  }, 60_000);

  it('describes every route once and has no dangling references', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('sdk.upgrade.v1beta1.Query.CurrentPlan');
    expect(document.info.version).toBe('1.2.3');
    const names = Object.keys(document.components.schemas);
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
      expect(names).toContain(name);
  });

  it('lists the parameters of paths and queries', () => {
    expect(document.paths['/cosmos/bank/v1beta1/denoms_metadata/{denom}']?.['get']?.parameters[0]).toMatchObject({
      name: 'denom',
      in: 'path',
      required: true,
    });
    expect(document.paths['/cosmos/bank/v1beta1/supply']?.['get']?.parameters.map(({ name }) => name)).toEqual([
      'pagination.key',
      'pagination.offset',
      'pagination.limit',
      'pagination.count_total',
      'pagination.reverse',
      'x-cosmos-block-height',
    ]);
    for (const [path, operations] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(operations))
        expect(
          parameters.filter((one) => one.in === 'path').map(({ name }) => name),
          path,
        ).toEqual(named);
    }
  });

  it('has no two paths that differ only in names, and no null in a path or a query', async () => {
    const forms = Object.keys(document.paths).map((path) => path.replace(/\{[^}]*\}/g, '{}'));
    expect(forms.length - new Set(forms).size).toBe(0);
    // Of two such routes the first one answers.
    expect(document.paths['/cosmos/auth/v1beta1/bech32/{address_bytes}']?.['get']?.summary).toBe(
      'Address bytes to string',
    );
    const parameters = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation.parameters),
    );
    expect(parameters.filter(({ schema }) => 'nullable' in schema)).toEqual([]);
  });

  it('has `nullable` only beside a type, without which it has no effect', () => {
    const { schemas } = document.components;
    expect(schemas['cosmos.bank.v1beta1.QueryBalanceResponse']).toEqual({
      type: 'object',
      properties: {
        balance: {
          type: 'object',
          nullable: true,
          allOf: [{ $ref: '#/components/schemas/cosmos.base.v1beta1.Coin' }],
        },
      },
    });
    const untyped: unknown[] = [];
    JSON.stringify(schemas, (_, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'nullable' in value && !('type' in value)) untyped.push(value);
      return value;
    });
    expect(untyped).toEqual([]);
  });

  it('matches every answer to a recorded request, without additional fields', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [name, schema] of Object.entries(document.components.schemas))
      ajv.addSchema(Object.assign({ additionalProperties: false }, jsonSchema(schema)), `#/components/schemas/${name}`);
    const validated = new Set<string>();
    for (const exchange of goldenLines<Exchange>('faces/rest.jsonl')) {
      const path = Object.keys(document.paths).find((template) => matches(template, exchange.req.path));
      const operation = path === undefined ? undefined : document.paths[path]?.[exchange.req.method.toLowerCase()];
      if (operation === undefined || skippedExchange(exchange) !== undefined) continue;
      const answer = await ask(face, exchange.req);
      if (answer.status !== 200) continue;
      const { schema } = operation.responses[200].content['application/json'];
      const validate = ajv.compile(Object.assign({}, jsonSchema(schema)));
      expect(validate(JSON.parse(answer.body)) ? [] : [operation.operationId, ...(validate.errors ?? [])]).toEqual([]);
      validated.add(operation.operationId);
    }
    expect(validated.size).toBeGreaterThan(45);
  });
});

/** Literal segments must be equal; a wildcard of one segment or more takes the rest. */
function matches(template: string, target: string): boolean {
  const pattern = template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/?]+');
  return new RegExp(`^${pattern}(\\?|$)`).test(target);
}

/** OpenAPI 3.0 as JSON schema: `nullable` beside a reference is a choice. */
function jsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const converted: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, jsonSchema(value)]),
  );
  return converted['nullable'] === true && Array.isArray(converted['allOf'])
    ? { anyOf: [{ type: 'null' }, ...converted['allOf']] }
    : converted;
}
