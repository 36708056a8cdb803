/** Viewer of the REST face's OpenAPI document: lists operations by service and lets users try them. */
import { linkApplication } from './application-link.js';
import { byId, code, element } from './dom.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly $ref?: string;
  readonly items?: Schema;
  /** A single schema, of a nullable message. */
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly 200: { readonly content: Content } };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Depth of nested messages shown. */
const SHAPE_DEPTH = 4;
const INPUT_SIZE = 50;

const response = await fetch('/openapi.json');
const { paths, components }: OpenApi = await response.json();

/** Converts a schema to an example: field names with types as values, or message names below the maximum depth. */
function shapeOf(schema: Schema, depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const found = components.schemas[name];
    return found === undefined || depth >= SHAPE_DEPTH ? name : shapeOf(found, depth + 1);
  }
  const [message] = schema.allOf ?? [];
  if (message !== undefined) return shapeOf(message, depth);
  if (schema.items !== undefined) return [shapeOf(schema.items, depth)];
  if (schema.properties !== undefined)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, shapeOf(of, depth)]));
  if (typeof schema.additionalProperties === 'object') return { '...': shapeOf(schema.additionalProperties, depth) };
  return [schema.type ?? 'any', schema.format, schema.enum?.join(' | ')].filter((part) => part !== undefined).join(' ');
}

function shape({ 'application/json': { schema } }: Content): HTMLElement {
  return element('pre', JSON.stringify(shapeOf(schema), undefined, 2));
}

/** Builds the request from the inputs. */
function requestOf(
  verb: string,
  path: string,
  inputs: readonly (readonly [Parameter, HTMLInputElement])[],
  body: HTMLTextAreaElement | undefined,
): Request {
  const filled = inputs.filter(([, { value }]) => value !== '');
  const target = filled
    .filter(([parameter]) => parameter.in === 'path')
    .reduce((text, [{ name }, { value }]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    filled.filter(([parameter]) => parameter.in === 'query').map(([{ name }, { value }]) => [name, value]),
  ).toString();
  return new Request(query === '' ? target : `${target}?${query}`, {
    method: verb.toUpperCase(),
    headers: filled.filter(([parameter]) => parameter.in === 'header').map(([{ name }, { value }]) => [name, value]),
    ...(body && { body: body.value }),
  });
}

/** Builds the form of an operation: inputs, a send button, and the response. */
function details(verb: string, path: string, operation: Operation): HTMLElement {
  const inputs = operation.parameters.map((parameter): readonly [Parameter, HTMLInputElement] => {
    const input = element('input');
    input.name = parameter.name;
    input.required = parameter.required;
    input.size = INPUT_SIZE;
    input.placeholder = `${parameter.in}: ${String(shapeOf(parameter.schema))}`;
    input.title = parameter.description ?? '';
    return [parameter, input];
  });
  const body = operation.requestBody && element('textarea');
  if (body !== undefined) body.value = '{}';
  const send = element('button', 'Send');
  const answer = element('pre');
  answer.role = 'status';
  const form = element('form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer.textContent = '...';
    fetch(requestOf(verb, path, inputs, body))
      .then(async (answered) => (answer.textContent = `${answered.status}\n${pretty(await answered.text())}`))
      .catch((error: unknown) => (answer.textContent = String(error)));
  });
  form.append(
    ...inputs.map(([{ name, required }, input]) =>
      element('p', element('label', `${name}${required ? '*' : ''} `, input)),
    ),
    ...(body ? [element('p', element('label', 'Body ', body))] : []),
    send,
  );
  const { requestBody, responses } = operation;
  return element(
    'div',
    form,
    answer,
    ...(requestBody ? [element('p', 'Fields of the body'), shape(requestBody.content)] : []),
    element('p', 'Fields of the answer'),
    shape(responses[200].content),
  );
}

function pretty(text: string): string {
  try {
    // No digits are lost, because 64-bit integers are strings in this JSON.
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

const shown = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([verb, operation]) => {
    const part = element('details', element('summary', `${verb.toUpperCase()} `, code(path)));
    if (operation.deprecated === true) part.firstElementChild?.append(' (deprecated)');
    // Build the form on opening, because there are hundreds of operations.
    part.addEventListener('toggle', () => part.append(details(verb, path, operation)), { once: true });
    return { part, service: operation.tags[0] ?? '', text: `${path} ${operation.operationId}`.toLowerCase() };
  }),
);

function search(words: string): void {
  const found = shown.filter(({ text }) => text.includes(words.trim().toLowerCase()));
  const services = [...new Set(found.map(({ service }) => service))];
  byId('count').textContent = `${found.length} of ${shown.length}`;
  byId('services').replaceChildren(
    ...services.map((name) =>
      element(
        'section',
        element('h2', name),
        ...found.filter(({ service }) => service === name).map(({ part }) => part),
      ),
    ),
  );
}

const input = byId('search') as HTMLInputElement;
input.addEventListener('input', () => search(input.value));
search('');
await linkApplication();
