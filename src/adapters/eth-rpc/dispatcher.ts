/** Executes JSON-RPC messages with the method registry, for HTTP and websocket (geth v1.17 `rpc/handler.go`). */
import { storageRefusal } from '../../core/errors.js';
import { type Message, readMessages, type ValidMessage } from './envelope.js';
import {
  BATCH_TOO_LARGE,
  HANDLER_CRASHED,
  rpcErrorOf,
  RESPONSE_TOO_LARGE,
  type RpcError,
  batchTimedOut,
  invalidParams,
  methodNotFound,
} from './errors.js';
import type {
  Answer,
  Answering,
  Connection,
  Consequence,
  Deferred,
  Method,
  MethodContext,
  Streamed,
} from './method.js';
import type { CallEnd, OnCall } from '../../core/activity/client-call.js';
import type { RefusedSend } from '../../core/activity/refused-send.js';
import { asObject } from '../../core/text/json-object.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import { framed } from './pull-streams.js';
import { jsonText } from '../../core/text/json-text.js';

/** The reply to one body or frame; an empty text means no response. */
export interface Reply {
  readonly text: string;
  /** Their `sent` functions run in this order, in the same turn in which the text is handed to the socket. */
  readonly consequences: readonly Consequence[];
  /** Resolves with the actual reply of a call that has already taken effect; `text` is then empty. */
  readonly later?: Promise<Reply>;
  /** The reply as a stream; `text` is then empty. Only for connections with `takesStreams`. */
  readonly stream?: PullStream<Uint8Array>;
}

/** Handles a body or frame of one connection. */
export type Dispatch = (text: string) => Reply | Promise<Reply>;

/**
 * Callbacks for the activity log. A send whose execution reverts is not reported as refused, because its gas estimate
 * is logged.
 */
export interface CallHooks {
  /** Called with the name of an unknown method that a client called. */
  readonly onUnknownMethod?: ((method: string) => void) | undefined;
  readonly onCall?: OnCall | undefined;
  readonly onRefusedSend?: ((refused: RefusedSend) => void) | undefined;
}

/** Error code of a reverted execution (go-ethereum v1.17 `internal/ethapi/errors.go`). */
const REVERTED = 3;

const { ethBatchCallsPerTurn: perTurn } = FIXED_LIMITS;
const NOTHING: Reply = { text: '', consequences: [] };
const encoder = new TextEncoder();

export interface DispatcherOptions {
  readonly methods: ReadonlyMap<string, Method>;
  /** Methods that exist but are not served, with the reason. */
  readonly withheld: ReadonlyMap<string, string>;
  readonly context: Omit<MethodContext, 'connection'>;
  readonly onDefect: (error: unknown) => void;
  readonly hooks: CallHooks;
}

/** Creates a dispatcher for each connection: it parses a body, calls the methods, and joins the responses. */
export function createDispatcher(options: DispatcherOptions): (connection: Connection) => Dispatch {
  const { methods, withheld, context, onDefect, hooks } = options;
  const { limits } = context;

  const crashed = (error: unknown): Answer => {
    onDefect(error);
    const refusal = storageRefusal(error);
    return { ok: false, error: refusal === undefined ? HANDLER_CRASHED : rpcErrorOf(refusal) };
  };
  const call = (message: ValidMessage, caller: MethodContext): Answering => {
    const method = methods.get(message.method);
    if (method === undefined) {
      hooks.onUnknownMethod?.(message.method);
      return { ok: false, error: methodNotFound(message.method, withheld.get(message.method)) };
    }
    const args = positional(message.params ?? null, method);
    if (args === undefined) return { ok: false, error: invalidParams('non-array args') };
    try {
      const bound = method.bind(args);
      if (!bound.ok) return bound;
      const answer = bound.run(caller);
      return answer instanceof Promise ? answer.catch(crashed) : answer;
    } catch (error) {
      return crashed(error);
    }
  };
  const answerOne = (message: Message, caller: MethodContext): Reply | Promise<Reply> => {
    if (message.kind === 'invalid') return { text: errorText(message.id, message.error), consequences: [] };
    const { name = '' } = caller.connection;
    const ended = hooks.onCall?.(message.method, name);
    const answer = call(message, caller);
    return answer instanceof Promise
      ? answer.then((settled) => replyTo(message, settled, ended))
      : replyTo(message, answer, ended);
  };
  const hear = ({ method, params }: ValidMessage, answer: Answer, ended: CallEnd | undefined): void => {
    ended?.(answer.ok ? undefined : answer.error.code);
    if (answer.ok || answer.error.code === REVERTED || methods.get(method)?.isSend !== true) return;
    const [sent]: readonly unknown[] = Array.isArray(params) ? params : [];
    const from = asObject(sent)?.['from'];
    hooks.onRefusedSend?.({
      method,
      from: typeof from === 'string' ? from : undefined,
      reason: answer.error.message,
    });
  };
  const replyTo = (message: ValidMessage, answer: Answer | Deferred | Streamed, ended: CallEnd | undefined): Reply => {
    if ('stream' in answer) {
      // A streamed reply ends the call now: the rest takes as long as the client reads.
      ended?.();
      return streamedReply(message, answer);
    }
    if (!('later' in answer)) {
      hear(message, answer, ended);
      return replyOf(message, answer);
    }
    const later = answer.later.catch(crashed).then((settled) => {
      hear(message, settled, ended);
      return settled;
    });
    if (message.kind === 'notification') return NOTHING;
    return { text: '', consequences: [], later: later.then((settled) => replyOf(message, settled)) };
  };
  /** Starts the leading raw sends of `messages` without waiting for each other's responses. */
  const startSends = async (
    messages: readonly Message[],
    caller: MethodContext,
  ): Promise<(Reply | Promise<Reply>)[]> => {
    const started: (Reply | Promise<Reply>)[] = [];
    for (const message of messages) {
      if (!isRawSend(message)) break;
      if (started.length % perTurn === perTurn - 1) await context.timers.yield();
      started.push(answerOne(message, caller));
    }
    return started;
  };
  const answerBatch = async (messages: readonly Message[], caller: MethodContext): Promise<Reply> => {
    let late = false;
    const cancel = context.timers.after(limits.ethBatchMs, () => (late = true));
    try {
      return await answerInOrder(messages, caller, () => late);
    } finally {
      cancel();
    }
  };
  const answerInOrder = async (
    messages: readonly Message[],
    caller: MethodContext,
    isLate: () => boolean,
  ): Promise<Reply> => {
    const texts: string[] = [];
    const consequences: Consequence[] = [];
    /** Responses that are not known yet, with their index. */
    const deferred: { readonly place: number; readonly reply: Promise<Reply> }[] = [];
    let bytes = 0;
    // sequentially: effects happen in the order of the batch
    let ahead: (Reply | Promise<Reply>)[] = [];
    for (const [index, message] of messages.entries()) {
      if (index % perTurn === perTurn - 1) await context.timers.yield();
      if (isLate() && ahead.length === 0) {
        if (message.kind !== 'notification') texts.push(errorText(message.id, batchTimedOut(limits.ethBatchMs)));
        continue;
      }
      if (ahead.length === 0 && isRawSend(message) && bytes <= limits.ethBatchResponseBytes)
        ahead = await startSends(messages.slice(index), caller);
      if (bytes > limits.ethBatchResponseBytes) {
        if (message.kind !== 'notification') texts.push(errorText(message.id, RESPONSE_TOO_LARGE));
        continue;
      }
      const answer = ahead.shift() ?? answerOne(message, caller);
      const reply = answer instanceof Promise ? await answer : answer;
      if (reply.later !== undefined) deferred.push({ place: texts.push('') - 1, reply: reply.later });
      if (reply.text === '') continue;
      bytes += reply.text.length;
      if (bytes <= limits.ethBatchResponseBytes || message.kind === 'notification') {
        texts.push(reply.text);
        for (const consequence of reply.consequences) consequences.push(consequence);
      } else {
        texts.push(errorText(message.id, RESPONSE_TOO_LARGE));
        for (const consequence of reply.consequences) consequence.dropped();
      }
    }
    const whole = (): Reply => (texts.length === 0 ? NOTHING : { text: `[${texts.join(',')}]`, consequences });
    if (deferred.length === 0) return whole();
    const all = deferred.map(async ({ place, reply }) => {
      texts[place] = (await reply).text;
    });
    return { text: '', consequences: [], later: Promise.all(all).then(whole) };
  };

  return (connection) => {
    const caller: MethodContext = { ...context, connection };
    return (text) => {
      const incoming = readMessages(text, limits);
      switch (incoming.kind) {
        case 'refused':
          return { text: errorText('null', incoming.error), consequences: [] };
        case 'oversized':
          return { text: `[${errorText(incoming.id, BATCH_TOO_LARGE)}]`, consequences: [] };
        case 'single':
          return answerOne(incoming.message, caller);
        case 'batch':
          return answerBatch(incoming.messages, inBatch(caller));
      }
    };
  };
}

/** A context without streaming, because the responses of a batch are one text. */
function inBatch(caller: MethodContext): MethodContext {
  return { ...caller, connection: { ...caller.connection, takesStreams: false } };
}

/** Positional arguments; undefined for an object, unless the method also accepts parameters by name. */
function positional(params: unknown, { byName }: Method): readonly unknown[] | undefined {
  if (params === null) return [];
  if (Array.isArray(params)) return params;
  const named = asObject(params);
  return named === undefined ? undefined : byName?.map((name) => named[name] ?? null);
}

/**
 * True for `eth_sendRawTransaction`. Consecutive sends are started at once: each takes effect when it is called, and
 * then waits only for the log.
 */
function isRawSend(message: Message): boolean {
  return message.kind !== 'invalid' && message.method === 'eth_sendRawTransaction';
}

function streamedReply(message: ValidMessage, { stream }: Streamed): Reply {
  if (message.kind === 'call')
    return { ...NOTHING, stream: framed(stream, encoder.encode(resultBegin(message.id)), encoder.encode('}')) };
  stream.end();
  return NOTHING;
}

function resultBegin(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

/** Formats the response of a call; a notification gets none. */
function replyOf(message: ValidMessage, answer: Answer): Reply {
  if (message.kind === 'notification') {
    if (answer.ok) answer.consequence?.dropped();
    return NOTHING;
  }
  if (!answer.ok) return { text: errorText(message.id, answer.error), consequences: [] };
  return {
    text: `${resultBegin(message.id)}${answer.json}}`,
    consequences: answer.consequence === undefined ? [] : [answer.consequence],
  };
}

/** Formats an error response; `id` is JSON text. */
export function errorText(id: string, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${jsonText(error)}}`;
}
