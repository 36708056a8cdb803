/** The consensus RPC with CometBFT 0.38's interface: one method registry for POST, URI and websocket calls. */
import { agentOf, type OnCall } from '../../core/activity/client-call.js';
import { storageRefusal, type DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { type HttpHandler, type HttpResponse, requestTimers } from '../transport/index.js';
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
  /** Name and version of the application, for `abci_info`. */
  readonly application: { readonly name: string; readonly version: string };
  /** Rejects every parameter form that CometBFT rejects; lenient by default (`docs/interfaces/comet-rpc.md`). */
  readonly strict?: boolean;
  /** Time of the `X-Server-Time` header (whole seconds); without a clock the header is omitted. */
  readonly clock?: Clock;
  /** Called with the name of an unknown method that a client called. */
  readonly onUnknownMethod?: ((method: string) => void) | undefined;
  /** Called for each call of a client. */
  readonly onCall?: OnCall | undefined;
  /** Called with an exception of a handler (a bug); the client gets a generic internal error. */
  readonly onDefect?: (error: unknown) => void;
}

export interface CometRpc {
  readonly http: HttpHandler;
  /**
   * Calls a method with the raw JSON text of `params` (undefined if absent), for websocket sessions. `result` is JSON
   * text; `client`: name for the log. The subscription methods are not in the registry.
   */
  callRaw(method: string, rawParams: string | undefined, client?: string): Promise<CallResult>;
  /** Calls a method with parsed params. */
  call(method: string, params: unknown): Promise<CallResult>;
}

/** Creates the consensus RPC of a node. */
export function createCometRpc(options: CometRpcOptions): CometRpc {
  const { api, limits, application } = options;
  const timers = requestTimers(options.timers);
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
      // the text of an unexpected error may contain paths or keys, so the client does not get it
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

  /** Reports the begin and end of a call to `onCall`. */
  const reported = async <Result extends CallResult>(
    name: string,
    client: string,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    const ended = options.onCall?.(name, client);
    const result = await run();
    ended?.(result.ok ? undefined : result.error.code);
    return result;
  };
  const callReported: CallRaw = (name, rawParams, client = '') =>
    reported(name, client, () => callRaw(name, rawParams));

  const handler = createHttpHandler({
    methods: METHODS,
    socketMethods: SOCKET_METHODS,
    limits,
    timers,
    callRaw: callReported,
    callUri: (method, source, client) => reported(method.name, client, () => invoke(method, source, 'http')),
    clientOf: ({ headers }) => agentOf(headers.get('user-agent')),
  });
  const { clock } = options;

  return {
    http: clock === undefined ? handler : async (request) => withServerTime(await handler(request), clock),
    callRaw: callReported,
    call: (name, params) => callRaw(name, params === undefined ? undefined : JSON.stringify(params)),
  };
}

function withServerTime(response: HttpResponse, clock: Clock): HttpResponse {
  return { ...response, headers: { ...response.headers, 'x-server-time': String(clock.now() / NS_PER_SECOND) } };
}

function isDomainError(error: DomainError | RpcError): error is DomainError {
  return typeof error.code === 'string';
}
