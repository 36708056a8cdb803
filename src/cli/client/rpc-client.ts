import { base64 } from '@scure/base';
import { hex } from '../../core/bytes/hex.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError, RefusedByApplication } from '../command-error.js';
import { AnswerTimedOut, postJson } from '../../adapters/client/http-post.js';
import type { JsonRpcAnswer } from '../../adapters/client/json-rpc-client.js';
import type { JSONRPCError } from 'json-rpc-2.0';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

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

const UNKNOWN_PATH = /^unknown query path/;
/**
 * Matches the module name in a gRPC path: `slashing` in `/cosmos.slashing.v1beta1.Query/Params`. All parts of
 * `ibc.core` are the module ibc.
 */
const MODULE_OF_PATH = /ibc(?=\.core\.)|[a-z0-9]+(?=\.v[0-9a-z]+\.Query\/)/;

/** Creates a client. `node`: `tcp://host:port`, `http://host:port` or `host:port`. */
export function createRpcClient(node: string, offline = false): RpcClient {
  const call = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    if (offline) throw new CommandError(EXIT.usage, `--offline: ${method} cannot be asked of a node`);
    const answer = await ask(urlOf(node), node, method, params);
    if (!answer.ok) throw failureOf(answer.error, node);
    return asObject(answer.result, node);
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
        const module = UNKNOWN_PATH.test(log) ? MODULE_OF_PATH.exec(path)?.[0] : undefined;
        if (module !== undefined)
          throw new RefusedByApplication(EXIT.notAvailable, `the chain of this node has no module ${module}`);
        throw new RefusedByApplication(NOT_FOUND.test(log) ? EXIT.notFound : EXIT.failed, log);
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

async function ask(url: URL, node: string, method: string, params: JsonObject): Promise<JsonRpcAnswer> {
  const { callJsonRpc, NotJsonRpc } = await import('../../adapters/client/json-rpc-client.js');
  try {
    return await callJsonRpc((body) => postJson(url, body, FIXED_LIMITS.cliRequestMs), method, params);
  } catch (error) {
    if (error instanceof NotJsonRpc || isNotHttp(error)) throw notANode(node);
    if (error instanceof AnswerTimedOut) throw new CommandError(EXIT.unreachable, timedOutText(node, method, error));
    throw new CommandError(
      EXIT.unreachable,
      `E_UNREACHABLE: No node at ${node}. Start one: chronicled start, or chronicled dev; or name another one with --node`,
    );
  }
}

/** Error text for a node that accepts connections but does not answer in time. */
export function timedOutText(node: string, method: string, { message }: AnswerTimedOut): string {
  return `E_UNREACHABLE: ${method} of ${node}: ${message}. The node may be busy, and may still do what it was asked`;
}

/** True if the server speaks another protocol, such as gRPC, so that Node's HTTP parser failed. */
export function isNotHttp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_');
}

/**
 * Error text of an Ethereum JSON-RPC for an unknown method, which shows that `--node` has the wrong address
 * (go-ethereum v1.17 `rpc/errors.go`).
 */
const ETHEREUM = /does not exist\/is not available/;
/** Error text of `broadcast_tx_commit` if no block came in time (CometBFT v0.38 `rpc/core/mempool.go`). */
const NO_BLOCK = /timed out waiting for tx/;

function failureOf({ code, message, data }: JSONRPCError, node: string): CommandError {
  if (ETHEREUM.test(message))
    return new CommandError(
      EXIT.unreachable,
      `${node} is an Ethereum JSON-RPC: give it as --eth-node, and the consensus RPC (port 26657 by default) as --node`,
    );
  const detail = typeof data === 'string' ? data : '';
  const advice = NO_BLOCK.test(detail)
    ? '\nThe chain may stand still, or make blocks on request only: see chronicled status and chronicled query upgrade plan'
    : '';
  return new CommandError(
    NOT_FOUND.test(detail) ? EXIT.notFound : EXIT.failed,
    `RPC error ${code} - ${message}${detail === '' ? '' : `: ${detail}`}${advice}`,
  );
}

/** Narrows a JSON value to an object. Throws CommandError for any other value, because it is not a node's answer. */
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
  return new CommandError(
    EXIT.unreachable,
    `${node} answered something that is no consensus RPC response; it listens on port 26657 by default, and --node names it`,
  );
}
