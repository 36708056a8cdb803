/**
 * Checks results against the published OpenRPC document of the Ethereum JSON-RPC, which lies beside the checkout, and
 * against what `rpc_discover` says.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { discoveredProblems } from './discovered.js';

const path = fileURLToPath(new URL('../../../shared/specs/ethereum-openrpc.json', import.meta.url));
export const hasOpenRpc = existsSync(path);
if (!hasOpenRpc) process.stderr.write('OpenRPC document absent (../shared/specs): results are not held to it\n');

interface Document {
  readonly methods: readonly {
    readonly name: string;
    readonly result?: { readonly schema?: object };
    readonly examples?: readonly { readonly params: readonly { readonly value: unknown }[] }[];
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Validator of a method's results, compiled when it is first asked for; undefined where the document has none. */
export type ValidatorOf = (method: string) => ValidateFunction | undefined;

let ofRun: ValidatorOf | undefined;

/** Undefined for every method without the document. */
export const resultValidator: ValidatorOf = (method) => {
  if (!hasOpenRpc) return undefined;
  ofRun ??= validatorsOf(JSON.parse(readFileSync(path, 'utf8')) as Document);
  return ofRun(method);
};

/** The requests that the published document shows. */
export function publishedExamples(): readonly { readonly method: string; readonly params: readonly unknown[] }[] {
  const { methods } = JSON.parse(readFileSync(path, 'utf8')) as Document;
  return methods.flatMap(({ name, examples = [] }) =>
    examples.map(({ params }) => ({ method: name, params: params.map(({ value }) => value) })),
  );
}

/** Says where a result differs from the documents; empty if it agrees, or if no document has the method. */
export function resultProblems(method: string, result: unknown): readonly string[] {
  return [...publishedProblems(method, result), ...discoveredProblems(method, result)];
}

function publishedProblems(method: string, result: unknown): readonly string[] {
  const validate = resultValidator(method);
  if (validate === undefined || validate(inFormOfDocument(method, result))) return [];
  const where = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [`${method}: ${where.join('; ')}: ${JSON.stringify(result).slice(0, 500)}`];
}

/**
 * A result in the words of the document, which lacks three forms that geth has (v1.17): a transaction that waits has
 * null for the facts of its block (`NewRPCPendingTransaction` of `internal/ethapi`), the block `pending` for its hash,
 * its nonce and its miner (`GetBlockByNumber`), and a trace of a block that failed has `error` in place of `result`
 * (`txTraceResult` of `eth/tracers`).
 */
function inFormOfDocument(method: string, result: unknown): unknown {
  if (isWaiting(result)) return { ...result, ...MINED };
  if (isPendingBlock(result)) return { ...result, ...DECIDED };
  if (!Array.isArray(result)) return result;
  if (method === 'eth_getFilterChanges') return result.filter((one: unknown) => !isWaiting(one));
  return method.startsWith('debug_traceBlock')
    ? result.filter((one: unknown) => !(typeof one === 'object' && one !== null && 'error' in one))
    : result;
}

const MINED = {
  blockHash: `0x${'00'.repeat(32)}`,
  blockNumber: '0x0',
  blockTimestamp: '0x0',
  transactionIndex: '0x0',
} as const;

const DECIDED = { hash: MINED.blockHash, miner: `0x${'00'.repeat(20)}`, nonce: `0x${'00'.repeat(8)}` } as const;

function isPendingBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'parentHash' in value && 'hash' in value && value.hash === null;
}

function isWaiting(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && 'nonce' in value && 'blockHash' in value && value.blockHash === null
  );
}

function validatorsOf(document: Document): ValidatorOf {
  const { FilterResults, ...others } = document.components.schemas;
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'openrpc:/', components: { schemas: { ...others, FilterResults: anyOf(FilterResults) } } });
  const schemas = new Map(document.methods.map(({ name, result }) => [name, result?.schema]));
  const compiled = new Map<string, ValidateFunction>();
  return (method) => {
    const schema = schemas.get(method);
    if (schema === undefined) return undefined;
    const validate =
      compiled.get(method) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openrpc:/#/')) as object);
    compiled.set(method, validate);
    return validate;
  };
}

/** An empty array fits both kinds of filter results, which `oneOf` refuses. */
function anyOf(schema: object | undefined): object {
  return schema !== undefined && 'oneOf' in schema ? { anyOf: schema.oneOf } : {};
}
