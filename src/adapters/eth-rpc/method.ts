/** A row of the method registry, from which dispatcher, `rpc_modules` and documents are made. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import { type RpcError, invalidParams, rpcErrorOf } from './errors.js';
import type { ByteBudget } from '../transport/index.js';
import type { Param } from './params/param.js';
import { ANYTHING, type Schema } from './schema.js';
import type { ConnectionSubscriptions } from './subscriptions/index.js';

export interface MethodContext {
  readonly api: EthereumApi;
  readonly crypto: Crypto;
  readonly limits: Limits;
  readonly timers: Timers;
  /** Budget for what large answers in slices hold, for all calls of the face together. */
  readonly largeAnswers: ByteBudget;
  /** Result of `web3_clientVersion`: `name/vX.Y.Z/os-arch/runtime`. */
  readonly clientVersion: string;
  /** The served namespaces, in order. */
  readonly namespaces: readonly string[];
  /** The caller's connection. */
  readonly connection: Connection;
}

export interface Connection {
  /** True if the response of the running call may be streamed. */
  readonly takesStreams: boolean;
  /** Client id for per-client limits; undefined if clients are not distinguished. */
  readonly client: string | undefined;
  /** Client name for the log. */
  readonly name?: string;
  /** undefined if subscriptions are impossible: HTTP, or a closed socket. */
  readonly subscriptions: (() => ConnectionSubscriptions | undefined) | undefined;
}

/** Effects that depend on whether the response is sent; exactly one of the two functions is called. */
export interface Consequence {
  /** Called when the response was handed to the socket. */
  sent(): void;
  /** Called when the response is not sent: a notification, or a batch above its size limit. */
  dropped(): void;
}

export interface FailedAnswer {
  readonly ok: false;
  readonly error: RpcError;
}

/** The result of a handler; `json` is complete JSON text. */
export type Answer = { readonly ok: true; readonly json: string; readonly consequence?: Consequence } | FailedAnswer;

/**
 * The call has taken effect, and its result comes later. Other calls of the batch and of the connection do not wait
 * for it.
 */
export interface Deferred {
  readonly later: Promise<Answer>;
}

/** A successful result as a stream of UTF-8 JSON text. */
export interface Streamed {
  readonly stream: PullStream<Uint8Array>;
}

export type Answering = Answer | Deferred | Streamed | Promise<Answer | Deferred | Streamed>;

export type Bound = { readonly ok: true; run(context: MethodContext): Answering } | FailedAnswer;

export interface Method {
  readonly name: string;
  /** The part of the method name before the first underscore. */
  readonly namespace: string;
  /** One-line summary of the method. */
  readonly summary: string;
  readonly params: readonly Param<unknown>[];
  /** Schema of the result; empty if it is unspecified. */
  readonly result: Schema;
  /** The method sends unsigned transactions, which the chain's genesis must allow. */
  readonly isUnsigned?: true;
  /** The method sends a transaction of its caller; the activity log reports a rejection. */
  readonly isSend?: true;
  /** Parameter names in order, if the method also accepts parameters by name. */
  readonly byName?: readonly string[];
  /** The method always fails with an explanation; documents omit it. */
  readonly alwaysRefuses?: true;
  /** Decodes positional arguments in order; fails with the first error. */
  bind(args: readonly unknown[]): Bound;
}

/** The types of the decoded parameters, in order. */
export type ValuesOf<Params extends readonly Param<unknown>[]> = {
  readonly [Index in keyof Params]: Params[Index] extends Param<infer Value> ? Value : never;
};

/** Declares a method. */
export function method<const Params extends readonly Param<unknown>[]>(
  name: string,
  summary: string,
  params: Params,
  result: Schema,
  run: (values: ValuesOf<Params>, context: MethodContext) => Answering,
): Method {
  return {
    name,
    namespace: name.slice(0, name.indexOf('_')),
    summary,
    params,
    result,
    bind(args) {
      const decoded = decodeArguments(params, args);
      if (!decoded.ok) return decoded;
      // each value was decoded by the parameter at its position
      const bound = (context: MethodContext): Answering => run(decoded.values as ValuesOf<Params>, context);
      const isPending = params.some((param, index) => param.isPending?.(decoded.values[index]) === true);
      return { ok: true, run: isPending ? (context) => withPending(context, bound) : bound };
    },
  };
}

/** Builds the pending block before it runs a method that refers to it. */
function withPending(context: MethodContext, run: (context: MethodContext) => Answering): Answering {
  const making = context.api.makePending();
  if (making === undefined) return run(context);
  return making.then((made) => (made.ok ? run(context) : failed(rpcErrorOf(made.error))));
}

/** Declares a method that sends a transaction of its caller. */
export function sending<const Params extends readonly Param<unknown>[]>(
  ...row: Parameters<typeof method<Params>>
): Method {
  return { ...method(...row), isSend: true };
}

/** Declares a method of other nodes that always fails here; `reason` is a part of the error text. */
export function refusing(name: string, params: readonly Param<unknown>[], reason: string): Method {
  const message = `${name} is not supported: ${reason}`;
  return { ...method(name, message, params, ANYTHING, () => failed(invalidParams(message))), alwaysRefuses: true };
}

type Decoding = { readonly ok: true; readonly values: readonly unknown[] } | FailedAnswer;

/** Decodes positional arguments; null means absent (geth v1.17 `parsePositionalArguments` in `rpc/json.go`). */
function decodeArguments(params: readonly Param<unknown>[], args: readonly unknown[]): Decoding {
  const values: unknown[] = [];
  for (const [index, argument] of args.entries()) {
    const param = params[index];
    if (param === undefined) return refuse(`too many arguments, want at most ${params.length}`);
    if (argument === null && !param.optional) return refuse(`missing value for required argument ${index}`);
    const decoded = argument === null ? { ok: true as const, value: param.absent } : param.decode(argument);
    if (!decoded.ok) return refuse(`invalid argument ${index}: ${decoded.message}`);
    values.push(decoded.value);
  }
  for (const [index, param] of params.entries()) {
    if (index < args.length) continue;
    if (!param.optional) return refuse(`missing value for required argument ${index}`);
    values.push(param.absent);
  }
  return { ok: true, values };
}

function refuse(message: string): FailedAnswer {
  return failed(invalidParams(message));
}

/** A successful answer; `json` is the text of its result. */
export function ok(json: string): Answer {
  return { ok: true, json };
}

/** The answer `null`, for something that does not exist. */
export const NULL: Answer = ok('null');

/** An error answer. */
export function failed(error: RpcError): FailedAnswer {
  return { ok: false, error };
}

/** Answers a JSON string; `text` must not need escapes. */
export function quoted(text: string): Answer {
  return { ok: true, json: `"${text}"` };
}
