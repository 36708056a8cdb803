import { asObject, jsonOf } from '../../core/text/json-object.js';
import { isJSONRPCResponse, JSONRPCClient, type JSONRPCError } from 'json-rpc-2.0';

/** The answer to one call: a result, which may be null, or the server's error. */
export type JsonRpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: JSONRPCError };

/** The server answered something that is no response of JSON-RPC 2.0. */
export class NotJsonRpc extends Error {}

/**
 * Calls one method of a JSON-RPC 2.0 server; `post` sends the body and resolves with the text of the answer. Throws
 * NotJsonRpc, and the failures of `post`.
 */
export async function callJsonRpc(
  post: (body: string) => Promise<string>,
  method: string,
  params: unknown,
): Promise<JsonRpcAnswer> {
  // The client turns a failed sending into an error response, which has lost its reason.
  const failures: unknown[] = [];
  const client = new JSONRPCClient(async (request: { readonly id: number }) => {
    try {
      const answer = asObject(jsonOf(await post(JSON.stringify(request))));
      // A server that could not read the id answers null.
      if (answer === undefined || !isJSONRPCResponse(answer) || (answer.id !== request.id && answer.id !== null))
        throw new NotJsonRpc();
      client.receive({ ...answer, id: request.id });
    } catch (error) {
      failures.push(error);
      throw error;
    }
  });
  const response = await client.requestAdvanced({ jsonrpc: '2.0', id: 1, method, params });
  if (failures.length > 0) throw failures[0];
  return response.error === undefined ? { ok: true, result: response.result } : { ok: false, error: response.error };
}
