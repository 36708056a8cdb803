import { asObject, jsonOf } from '../../core/text/json-object.js';
import { isJSONRPCResponse, JSONRPCClient, type JSONRPCError } from 'json-rpc-2.0';

/** The response to a call: a result, which may be null, or the server's error. */
export type JsonRpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: JSONRPCError };

/** The server's response is not JSON-RPC 2.0. */
export class NotJsonRpc extends Error {}

/**
 * Calls a method of a JSON-RPC 2.0 server. `post` sends the body and resolves with the response text. Throws
 * NotJsonRpc, and the errors of `post`.
 */
export async function callJsonRpc(
  post: (body: string) => Promise<string>,
  method: string,
  params: unknown,
): Promise<JsonRpcAnswer> {
  // Keep the errors of `post`: the library converts them to error responses without the cause.
  const failures: unknown[] = [];
  const client = new JSONRPCClient(async (request: { readonly id: number }) => {
    try {
      const answer = asObject(jsonOf(await post(JSON.stringify(request))));
      // The id is null if the server could not read the request's id.
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
