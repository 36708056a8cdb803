import type { JsonRpcClient } from './methods.js';

/** The node's error: `code` and `data` are those of JSON-RPC. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** An answer as the node sends it. */
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client of the JSON-RPC server at `url`: one POST for each call. */
export function createJsonRpcClient<
  Table extends { readonly [Name in keyof Table]: { readonly params: unknown; readonly result: unknown } },
>(url: string): JsonRpcClient<Table> {
  let lastId = 0;
  return {
    // The table promises the types of results: they are those of the node's own faces, which tests hold to their
    // schemas.
    async request(call: { readonly method: string; readonly params?: unknown }): Promise<never> {
      lastId += 1;
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: lastId,
        method: call.method,
        ...(call.params !== undefined && { params: call.params }),
      });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const answer: Answer = JSON.parse(await response.text());
      if (answer.error !== undefined)
        throw new JsonRpcError(answer.error.code, answer.error.message, answer.error.data);
      return answer.result as never;
    },
  };
}
