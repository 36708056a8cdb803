import { callJsonRpc } from '../adapters/client/json-rpc-client.js';
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

/** A client of the JSON-RPC server at `url`: one POST for each call. */
export function createJsonRpcClient<
  Table extends { readonly [Name in keyof Table]: { readonly params: unknown; readonly result: unknown } },
>(url: string): JsonRpcClient<Table> {
  const post = async (body: string): Promise<string> => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.text();
  };
  return {
    // The result types come from the table of methods; tests check the node's answers against schemas.
    async request(call: { readonly method: string; readonly params?: unknown }): Promise<never> {
      const answer = await callJsonRpc(post, call.method, call.params);
      if (!answer.ok) throw new JsonRpcError(answer.error.code, answer.error.message, answer.error.data);
      return answer.result as never;
    },
  };
}
