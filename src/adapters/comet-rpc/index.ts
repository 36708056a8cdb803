/** The consensus RPC (CometBFT 0.38 shapes): one registry behind POST, URI and websocket calls. */
import { agentOf, type OnCall } from '../../core/activity/client-call.js';
import { storageRefusal, type DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import type { HttpHandler, HttpResponse } from '../transport/index.js';
import { METHOD_NOT_FOUND, type RpcError, internalError, invalidParams, rpcErrorOf } from './errors.js';
import { COMET_BODY_TOO_LARGE, createHttpHandler } from './http.js';
import { paramsSource, type CallRaw } from './json-rpc.js';
import type { ArgumentSource, CallResult, Method, MethodContext } from './method.js';
import { METHODS, SOCKET_METHODS } from './registry.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

export type { CallResult } from './method.js';
export type { RpcError } from './errors.js';
export { redirectOf } from './redirect.js';
export { COMET_BODY_TOO_LARGE };

export interface CometRpcOptions {
  readonly api: NodeApi;
  readonly limits: Limits;
  readonly timers: Timers;
  /** The application as `abci_info` describes it. */
  readonly application: { readonly name: string; readonly version: string };
  /** Refuses every spelling that CometBFT refuses; lenient by default (`docs/interfaces/comet-rpc.md`). */
  readonly strict?: boolean;
  /** Gives the `X-Server-Time` header of every answer (whole seconds); left out without a clock. */
  readonly clock?: Clock;
  /** Receives the name of a method that a client called and this face does not have. */
  readonly onUnknownMethod?: ((method: string) => void) | undefined;
  /** Hears of each call of a client. */
  readonly onCall?: OnCall | undefined;
  /** Receives the error of a handler that threw: a defect of this program, answered by a neutral internal error. */
  readonly onDefect?: (error: unknown) => void;
}

export interface CometRpc {
  readonly http: HttpHandler;
  /**
   * Calls a method with the raw JSON text of `params` (undefined when absent), for the websocket session. `result` is
   * JSON text; `client` is its name in the log. The subscription methods are not in the registry.
   */
  callRaw(method: string, rawParams: string | undefined, client?: string): Promise<CallResult>;
  /** Calls a method with parsed params. */
  call(method: string, params: unknown): Promise<CallResult>;
}

/** Creates the consensus RPC over a node. */
export function createCometRpc(options: CometRpcOptions): CometRpc {
  const { api, limits, timers, application } = options;
  const context: MethodContext = { api, limits, timers, application };
  const decoding = { strict: options.strict ?? false, limits };

  const refuse = (error: RpcError): CallResult & { readonly cacheable: boolean } => ({
    ok: false,
    error,
    cacheable: false,
  });

  const invoke = async (
    method: Method,
    source: ArgumentSource,
    form: 'json' | 'http',
  ): Promise<CallResult & { readonly cacheable: boolean }> => {
    const bound = method.bind(source, decoding);
    if (!bound.ok) return refuse(invalidParams(`error converting ${form} params to arguments: ${bound.error}`));
    try {
      const answer = await bound.value.run(context);
      if (answer.ok) return { ok: true, result: answer.json, cacheable: bound.value.cacheable };
      return refuse(isDomainError(answer.error) ? rpcErrorOf(answer.error) : answer.error);
    } catch (error) {
      options.onDefect?.(error);
      const refusal = storageRefusal(error);
      // the text of a defect may hold paths or keys, so the client does not get it
      return refuse(refusal === undefined ? internalError('internal error') : rpcErrorOf(refusal));
    }
  };

  const callRaw = async (
    name: string,
    rawParams: string | undefined,
  ): Promise<CallResult & { readonly cacheable: boolean }> => {
    const method = METHODS.get(name);
    if (method === undefined) {
      options.onUnknownMethod?.(name);
      return refuse(METHOD_NOT_FOUND);
    }
    const params = paramsSource(rawParams, method.paramNames, limits);
    return params.ok ? invoke(method, params.source, 'json') : refuse(params.error);
  };

  /** Tells the hearer of a call and of its end. */
  const heard = async <Result extends CallResult>(
    name: string,
    client: string,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    const ended = options.onCall?.(name, client);
    const result = await run();
    ended?.(result.ok ? undefined : result.error.code);
    return result;
  };
  const callHeard: CallRaw = (name, rawParams, client = '') => heard(name, client, () => callRaw(name, rawParams));

  const handler = createHttpHandler({
    methods: METHODS,
    socketMethods: SOCKET_METHODS,
    limits,
    callRaw: callHeard,
    callUri: (method, source, client) => heard(method.name, client, () => invoke(method, source, 'http')),
    clientOf: ({ headers }) => agentOf(headers.get('user-agent')),
  });
  const { clock } = options;

  return {
    http: clock === undefined ? handler : async (request) => withServerTime(await handler(request), clock),
    callRaw: callHeard,
    call: (name, params) => callRaw(name, params === undefined ? undefined : JSON.stringify(params)),
  };
}

function withServerTime(response: HttpResponse, clock: Clock): HttpResponse {
  return { ...response, headers: { ...response.headers, 'x-server-time': String(clock.now() / NS_PER_SECOND) } };
}

function isDomainError(error: DomainError | RpcError): error is DomainError {
  return typeof error.code === 'string';
}
