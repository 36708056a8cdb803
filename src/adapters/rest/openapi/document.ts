/** Generates the OpenAPI 3.0 document of the gateway from its routes. */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { HEIGHT_HEADER } from '../../services/index.js';
import type { Route } from '../routes/routes.js';
import { reference, Schemas, STATUS_NAME, type Schema } from './schemas.js';

/** Maximum depth of nested fields as query parameters, such as `pagination.limit`. */
const QUERY_DEPTH = 3;

const HEIGHT_PARAMETER: Schema = {
  name: HEIGHT_HEADER,
  in: 'header',
  required: false,
  description: 'Height of the state that is asked; the newest one when absent or 0.',
  schema: { type: 'string', format: 'int64' },
};

/** JSON text of the document. */
export function openApiDocument(routes: readonly Route[], version: string): string {
  const schemas = new Schemas();
  const paths = new Map<string, Record<string, Schema>>();
  const forms = new Map<string, string>();
  for (const route of routes) {
    const path = route.binding.path.replace(/\{([\w.]+)=[^{}]*\}/g, '{$1}');
    const form = path.replace(/\{[^{}]*\}/g, '{}');
    // if paths differ only in parameter names, the first one answers all requests (OpenAPI 3.0.3, Paths Object)
    if ((forms.get(form) ?? path) !== path) continue;
    forms.set(form, path);
    const operations = paths.get(path) ?? {};
    operations[route.binding.verb.toLowerCase()] ??= operation(route, schemas);
    paths.set(path, operations);
  }
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Chronicle', description: 'REST of the gRPC services that this node serves.', version },
    servers: [{ url: '/' }],
    security: [],
    paths: Object.fromEntries(paths),
    components: { schemas: schemas.all() },
  });
}

function operation({ method, parameters, binding }: Route, schemas: Schemas): Schema {
  const { desc } = method;
  const bound = new Set(parameters.map(({ path }) => path.field));
  const ok = { description: 'The answer.', content: json(schemas.message(desc.output)) };
  return {
    operationId: `${desc.parent.typeName}.${desc.name}`,
    summary: wordsOf(desc.name),
    tags: [desc.parent.typeName],
    ...(desc.deprecated && { deprecated: true }),
    parameters: [
      ...parameters.map(({ name, path }) => ({
        name,
        in: 'path',
        required: true,
        schema: schemas.parameter(path.field),
      })),
      ...(binding.body === '*' ? [] : queryParameters(desc.input, bound, schemas, '', 1)),
      HEIGHT_PARAMETER,
    ],
    ...(binding.body !== '' && { requestBody: { required: true, content: json(schemas.message(desc.input)) } }),
    responses: {
      200: ok,
      default: { description: 'An error: its gRPC code and text.', content: json(reference(STATUS_NAME)) },
    },
  };
}

/** Splits a name such as `DenomMetadata` into words. */
function wordsOf(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])[A-Z]|(?<!^)[A-Z](?=[a-z])/g, (letter) => ` ${letter}`).toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function queryParameters(
  { fields }: DescMessage,
  bound: ReadonlySet<DescField>,
  schemas: Schemas,
  before: string,
  depth: number,
): readonly Schema[] {
  return fields.flatMap((field): readonly Schema[] => {
    const name = `${before}${field.name}`;
    const isMessage =
      field.message !== undefined && !/^google\.protobuf\.(Timestamp|Duration)$/.test(field.message.typeName);
    if (field.fieldKind === 'message' && isMessage)
      return depth < QUERY_DEPTH ? queryParameters(field.message, bound, schemas, `${name}.`, depth + 1) : [];
    if (bound.has(field) || field.fieldKind === 'map' || isMessage) return [];
    return [
      {
        name,
        in: 'query',
        required: false,
        ...(field.fieldKind === 'list' && { explode: true }),
        schema: schemas.parameter(field),
      },
    ];
  });
}

function json(schema: Schema): Schema {
  return { 'application/json': { schema } };
}
