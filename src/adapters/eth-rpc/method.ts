/** One row of the method registry: the dispatcher, `rpc_modules` and the documents are made from these rows. */
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/pull-stream.js';
import { type RpcError, invalidParams, rpcErrorOf } from './errors.js';
import type { Param } from './params/param.js';
import { ANYTHING, type Schema } from './schema.js';
import type { ConnectionSubscriptions } from './subscriptions/index.js';

export interface MethodContext {
  readonly api: EthereumApi;
  readonly crypto: Crypto;
  readonly limits: Limits;
  readonly timers: Timers;
  /** Answer of `web3_clientVersion`: `name/vX.Y.Z/os-arch/runtime`. */
  readonly clientVersion: string;
  /** Namespaces that this face serves, in order. */
  readonly namespaces: readonly string[];
  /** The connection of the caller. */
  readonly connection: Connection;
}

export interface Connection {
  /** The answer of the running call may be sent while it is made. */
  readonly takesStreams: boolean;
  /** Identifies the client for limits per client; undefined where clients cannot be distinguished. */
  readonly client: string | undefined;
  /** Names the client in the log. */
  readonly name?: string;
  /** undefined where push is impossible: HTTP, a closed socket. */
  readonly subscriptions: (() => ConnectionSubscriptions | undefined) | undefined;
}

/** Effects that depend on whether the caller receives the answer; exactly one of the two functions is called. */
export interface Consequence {
  /** The answer was handed to the socket. */
  sent(): void;
  /** The answer was not sent: a notification, or no room in the batch. */
  dropped(): void;
}

export interface FailedAnswer {
  readonly ok: false;
  readonly error: RpcError;
}

/** The answer of a handler; `json` is complete JSON text. */
export type Answer = { readonly ok: true; readonly json: string; readonly consequence?: Consequence } | FailedAnswer;

/**
 * The call has taken effect, and its answer is known later. The other calls of its batch and of its connection do not
 * wait for it.
 */
export interface Deferred {
  readonly later: Promise<Answer>;
}

/** A successful answer that is made while it is sent: UTF-8 of the JSON text. */
export interface Streamed {
  readonly stream: PullStream<Uint8Array>;
}

export type Answering = Answer | Deferred | Streamed | Promise<Answer | Deferred | Streamed>;

export type Bound = { readonly ok: true; run(context: MethodContext): Answering } | FailedAnswer;

export interface Method {
  readonly name: string;
  /** The part of the name before the first underscore. */
  readonly namespace: string;
  /** A summary of the method in one line. */
  readonly summary: string;
  readonly params: readonly Param<unknown>[];
  /** Every result fits; empty where nothing is promised. */
  readonly result: Schema;
  /** It sends transactions without a signature, which the genesis of the chain must allow. */
  readonly isUnsigned?: true;
  /** It sends a transaction of its caller: the activity log has a line where that is refused. */
  readonly isSend?: true;
  /** Names of the parameters in their order, where an object of them may stand for the list. */
  readonly byName?: readonly string[];
  /** The method exists to say why it does nothing; documents leave it out. */
  readonly alwaysRefuses?: true;
  /** Decodes positional arguments in order; the first bad one is the error. */
  bind(args: readonly unknown[]): Bound;
}

/** The values that parameters decode, in their order. */
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
      // the type of each value was fixed by the parameter at its position
      const bound = (context: MethodContext): Answering => run(decoded.values as ValuesOf<Params>, context);
      const isPending = params.some((param, index) => param.isPending?.(decoded.values[index]) === true);
      return { ok: true, run: isPending ? (context) => withPending(context, bound) : bound };
    },
  };
}

/** Runs a method that names the block `pending`, when that is made. */
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

/** Declares a method of other nodes that this one never does; `reason` follows its name. */
export function refusing(name: string, params: readonly Param<unknown>[], reason: string): Method {
  const message = `${name} is not supported: ${reason}`;
  return { ...method(name, message, params, ANYTHING, () => failed(invalidParams(message))), alwaysRefuses: true };
}

type Decoding = { readonly ok: true; readonly values: readonly unknown[] } | FailedAnswer;

/**
 * Decodes positional arguments; null stands for an absent value (geth v1.17 `parsePositionalArguments` in
 * `rpc/json.go`).
 */
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

/** A good answer; `json` is the text of its result. */
export function ok(json: string): Answer {
  return { ok: true, json };
}

/** The answer for what does not exist. */
export const NULL: Answer = ok('null');

/** An answer that refuses with `error`. */
export function failed(error: RpcError): FailedAnswer {
  return { ok: false, error };
}

/** A JSON string whose characters need no escapes, such as hex. */
export function quoted(text: string): Answer {
  return { ok: true, json: `"${text}"` };
}
