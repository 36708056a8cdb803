/** Checks results against the published OpenRPC document of the Ethereum JSON-RPC, which lies beside the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';

const path = fileURLToPath(new URL('../../../shared/specs/ethereum-openrpc.json', import.meta.url));
export const hasOpenRpc = existsSync(path);
if (!hasOpenRpc) process.stderr.write('OpenRPC document absent (../shared/specs): results are not validated\n');

interface Document {
  readonly methods: readonly { readonly name: string; readonly result?: { readonly schema?: object } }[];
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Validators by method name; empty without the document. */
export function resultValidators(): ReadonlyMap<string, ValidateFunction> {
  if (!hasOpenRpc) return new Map();
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const { FilterResults, ...others } = document.components.schemas;
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'openrpc:/', components: { schemas: { ...others, FilterResults: anyOf(FilterResults) } } });
  const validators = new Map<string, ValidateFunction>();
  for (const { name, result } of document.methods) {
    if (result?.schema === undefined) continue;
    const schema: object = JSON.parse(JSON.stringify(result.schema).replaceAll('"#/', '"openrpc:/#/')) as object;
    validators.set(name, ajv.compile(schema));
  }
  return validators;
}

/** An empty array fits both kinds of filter results, which `oneOf` refuses. */
function anyOf(schema: object | undefined): object {
  return schema !== undefined && 'oneOf' in schema ? { anyOf: schema.oneOf } : {};
}
