import { base64 } from '@scure/base';
import { hex } from '../../core/bytes/hex.js';
import { CommandError, EXIT, RefusedByApplication } from './exit-codes.js';
import { postJson } from './http-post.js';
import { FIXED_LIMITS } from '../../core/limits.js';

/** A JSON object of the consensus RPC. */
export type JsonObject = { readonly [name: string]: unknown };

/** Client of the consensus RPC of one node (CometBFT v0.38 `rpc/core`). Methods throw CommandError. */
export interface RpcClient {
  /** True with `--offline`: every request fails. */
  readonly offline: boolean;
  call(method: string, params?: JsonObject): Promise<JsonObject>;
  /**
   * Calls a query method of the application at the latest height, or at `height`; resolves with the bytes of its
   * response.
   */
  abciQuery(path: string, data: Uint8Array, height?: bigint): Promise<Uint8Array>;
}

const NOT_FOUND =
  /not found|must be less than or equal to the current blockchain height|is not available, lowest height/;

/** `tcp://host:port`, `http://host:port` or `host:port`. */
export function createRpcClient(node: string, offline = false): RpcClient {
  const call = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    if (offline) throw new CommandError(EXIT.usage, `--offline: ${method} cannot be asked of a node`);
    const answer = asObject(await post(urlOf(node), node, { jsonrpc: '2.0', id: 1, method, params }), node);
    if (answer['error'] !== undefined) throw failureOf(asObject(answer['error'], node));
    return asObject(answer['result'], node);
  };
  return {
    offline,
    call,
    async abciQuery(path, data, height) {
      const result = await call('abci_query', {
        path,
        data: hex(data),
        ...(height !== undefined && { height: height.toString() }),
      });
      const response = asObject(result['response'], node);
      if (response['code'] !== 0 && response['code'] !== undefined) {
        const log = String(response['log']);
        throw new RefusedByApplication(NOT_FOUND.test(log) ? EXIT.notFound : EXIT.other, log);
      }
      const value = response['value'];
      return typeof value === 'string' ? base64.decode(value) : new Uint8Array(0);
    },
  };
}

function urlOf(node: string): URL {
  const url = /^https?:\/\//.test(node) ? node : `http://${node.replace(/^tcp:\/\//, '')}`;
  if (!URL.canParse(url))
    throw new CommandError(EXIT.usage, `--node: ${JSON.stringify(node)} is not an address; expected tcp://host:port`);
  return new URL(url);
}

async function post(url: URL, node: string, body: JsonObject): Promise<unknown> {
  let text: string;
  try {
    text = await postJson(url, JSON.stringify(body), FIXED_LIMITS.cliRequestMs);
  } catch {
    throw new CommandError(EXIT.unreachable, `E_UNREACHABLE: No node at ${node}. Start one: chronicled start`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw notANode(node);
  }
}

function failureOf(error: JsonObject): CommandError {
  const { code, message, data } = error;
  const detail = typeof data === 'string' ? data : '';
  return new CommandError(
    NOT_FOUND.test(detail) ? EXIT.notFound : EXIT.other,
    `RPC error ${String(code)} - ${String(message)}${detail === '' ? '' : `: ${detail}`}`,
  );
}

/** Narrows a JSON value to an object; throws for any other value, which a node does not answer. */
export function asObject(value: unknown, node = 'the node'): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notANode(node);
  return Object.fromEntries(Object.entries(value));
}

/** Text of a field; empty when it is absent. */
export function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function notANode(node: string): CommandError {
  return new CommandError(EXIT.unreachable, `${node} answered something that is no consensus RPC response`);
}
