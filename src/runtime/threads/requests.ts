import { deserialize, serialize } from 'node:v8';
import type { ReplyThrottle } from './reply-throttle.js';

/**
 * A message between threads of this process: one transferred buffer in V8's structured clone format, which supports
 * bigint and byte arrays. It never leaves the process, so it needs no compatibility.
 */
export interface Envelope<Body> {
  readonly id: number;
  readonly body: Body;
  /** Set when further replies to the same request follow. */
  readonly more?: true;
}

/** Encodes a message into its own buffer, for transfer. */
export function encodeMessage<Body>(envelope: Envelope<Body>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(serialize(envelope));
}

/** Decodes a message. Unchecked: the sender is the same build in the same process. */
export function decodeMessage<Body>(bytes: Uint8Array): Envelope<Body> {
  return deserialize(bytes) as Envelope<Body>;
}

/** Transport of encoded messages: to a worker thread, or a call in the same thread. */
export interface Channel {
  post(bytes: Uint8Array<ArrayBuffer>): void;
  stop(): Promise<void>;
}

/** Codec of requests and replies; default: V8's structured clone format. */
export interface MessageCodec<Request, Reply> {
  encode(question: Envelope<Request>): Uint8Array<ArrayBuffer>;
  decode(answer: Uint8Array): Envelope<Reply>;
}

export type Connect = (onReply: (bytes: Uint8Array) => void, onLost: (reason: string) => void) => Channel;

/** The thread ended before it replied. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

export interface Requests<Request, Reply> {
  /**
   * Sends a request; rejects with ThreadLost when the thread ends first. Intermediate replies are passed to `onMore`,
   * in order, before the final one.
   */
  ask(request: Request, onMore?: (reply: Reply) => void): Promise<Reply>;
  /** Stops the thread and rejects waiting requests. */
  stop(): Promise<void>;
}

/** Matches the replies of a thread to its requests; with `turns`, replies are throttled. */
export function createRequests<Request, Reply>(
  connect: Connect,
  codec: MessageCodec<Request, Reply> = { encode: encodeMessage, decode: decodeMessage },
  turns?: ReplyThrottle,
): Requests<Request, Reply> {
  interface Waiter {
    resolve(reply: Reply): void;
    reject(error: Error): void;
    readonly onMore: ((reply: Reply) => void) | undefined;
  }
  const waiting = new Map<number, Waiter>();
  let lost: string | undefined;
  let nextId = 1;
  const lose = (reason: string): void => {
    lost ??= reason;
    for (const waiter of waiting.values()) waiter.reject(new ThreadLost(reason));
    waiting.clear();
  };
  const received = (bytes: Uint8Array): void => {
    const { id, body, more } = codec.decode(bytes);
    const waiter = waiting.get(id);
    if (more === true) {
      waiter?.onMore?.(body);
      return;
    }
    waiting.delete(id);
    waiter?.resolve(body);
  };
  const channel = connect(
    turns === undefined ? received : (bytes) => turns.take(bytes.length, () => received(bytes)),
    lose,
  );
  return {
    ask: (request, onMore) =>
      new Promise((resolve, reject) => {
        if (lost !== undefined) {
          reject(new ThreadLost(lost));
          return;
        }
        const id = nextId;
        nextId += 1;
        waiting.set(id, { resolve, reject, onMore });
        channel.post(codec.encode({ id, body: request }));
      }),
    async stop() {
      lose('stopped');
      await channel.stop();
    },
  };
}
