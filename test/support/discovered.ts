/** Methods of a node in dev mode as `rpc_discover` describes them, and checks of values against it. */
import { Ajv, type ValidateFunction } from 'ajv';
import { createRegistry, type Registry } from '../../src/adapters/eth-rpc/registry.js';
import { DEV_NAMESPACES } from '../../src/core/ethereum/namespaces.js';
import { ByteBudget } from '../../src/adapters/transport/index.js';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { fakeInspection } from '../adapters/eth-rpc/fake-inspection.js';
import { crypto, fakeNode } from '../adapters/eth-rpc/fake-node.js';
import type { JsonSchema } from './arbitrary-json.js';

export interface DiscoveredMethod {
  readonly name: string;
  readonly summary: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }[];
  readonly result: { readonly schema: JsonSchema };
}

export interface DiscoveredDocument {
  readonly openrpc: string;
  readonly methods: readonly DiscoveredMethod[];
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The methods of a node, and the document that `rpc_discover` returns for them. */
export interface Discovered {
  readonly registry: Registry;
  readonly document: DiscoveredDocument;
}

export async function discover(dev: boolean, namespaces: readonly string[]): Promise<Discovered> {
  const { api } = fakeNode({ dev });
  const registry = createRegistry(api, namespaces, fakeInspection);
  const bound = registry.methods.get('rpc_discover')?.bind([]);
  if (bound?.ok !== true) throw new Error('rpc_discover takes no arguments');
  const answer = await bound.run({
    api,
    crypto,
    limits: DEFAULT_LIMITS,
    timers: { after: () => () => undefined, yield: () => Promise.resolve() },
    largeAnswers: new ByteBudget(0),
    clientVersion: 'chronicled/v0.0.0/test/node',
    namespaces,
    connection: { takesStreams: false, client: undefined, subscriptions: undefined },
  });
  if (!('json' in answer)) throw new Error('rpc_discover answers at once');
  return { registry, document: JSON.parse(answer.json) };
}

const { document } = await discover(true, DEV_NAMESPACES);
const byName = new Map(document.methods.map((method) => [method.name, method]));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'discovered:/', components: document.components });
const compiled = new Map<string, ValidateFunction>();

export function isDiscovered(method: string): boolean {
  return byName.has(method);
}

/** Says where a result differs from its schema in `rpc_discover`. */
export function discoveredProblems(method: string, result: unknown): readonly string[] {
  const described = byName.get(method);
  if (described === undefined) return [];
  const validate = validatorOf(described.result.schema);
  if (validate(result)) return [];
  const where = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [`${method} in rpc_discover: ${where.join('; ')}: ${JSON.stringify(result).slice(0, 500)}`];
}

/** A validator of a schema of the document; equal schemas are compiled once. */
export function validatorOf(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"discovered:/#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate;
}

/** The reason why arguments do not fit the parameters of a method; undefined where they do. */
export function argumentProblem(name: string, args: readonly unknown[]): string | undefined {
  const method = byName.get(name);
  if (method === undefined) return `${name} is not there`;
  if (args.length > method.params.length) return `${name} has ${method.params.length} parameters`;
  for (const [index, param] of method.params.entries()) {
    const value = args[index] ?? null;
    if (value === null && param.required) return `${name} needs ${param.name}`;
    if (value !== null && !validatorOf(param.schema)(value))
      return `${name}: ${JSON.stringify(value)} as ${param.name}`;
  }
  return undefined;
}
