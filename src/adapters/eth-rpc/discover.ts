/** `rpc_discover`: the served methods as an OpenRPC document (https://spec.open-rpc.org), made from their rows. */
import { type Method, method, ok } from './method.js';

const OPENRPC = '1.3.2';

/** The row of `rpc_discover`; `rows` are the other methods that are served. */
export function discoverMethod(rows: readonly Method[]): Method {
  let document: string | undefined;
  const discover: Method = method('rpc_discover', [], (_values, { clientVersion }) => {
    document ??= JSON.stringify({
      openrpc: OPENRPC,
      info: { title: 'Ethereum JSON-RPC', version: clientVersion },
      methods: [...rows, discover].map(described).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    });
    return ok(document);
  });
  return discover;
}

function described({ name, params }: Method) {
  return {
    name,
    params: params.map(({ label, optional }, index) => ({
      name: uniqueName(params, index, label),
      required: !optional,
      schema: {},
    })),
    result: { name: 'result', schema: {} },
    paramStructure: 'by-position',
  };
}

/** Names of one method's parameters differ (OpenRPC 1.3, Method Object): those that share a label have their places. */
function uniqueName(params: Method['params'], index: number, label: string): string {
  return params.filter((param) => param.label === label).length === 1 ? label : `${label}${index + 1}`;
}
