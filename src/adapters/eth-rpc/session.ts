/**
 * One websocket connection: requests, responses, and its subscriptions. Calls run concurrently up to a limit, so that
 * a slow call does not block others; responses may therefore be out of order, as in geth. Requests are read only
 * while the client reads.
 */
import type { Limits } from '../../core/limits/limits.js';
import { closeOf, type CutOff } from '../push/index.js';
import { idOf } from '../json-rpc-id.js';
import type { LargeRequests, Message, Session, Socket } from '../transport/index.js';
import { type Dispatch, errorText, type Reply } from './dispatcher.js';
import { limitExceeded } from './errors.js';
import type { Connection } from './method.js';
import type { ConnectionSubscriptions, EthereumSubscriptions } from './subscriptions/index.js';

const NOTHING: Reply = { text: '', consequences: [] };

export interface EthereumSessionOptions {
  readonly connect: (connection: Connection) => Dispatch;
  readonly socket: Socket;
  readonly subscriptions: EthereumSubscriptions | undefined;
  readonly limits: Limits;
  /** Scheduler of large messages, one at a time. */
  readonly large: Pick<LargeRequests, 'next'>;
  /** Connection id for per-client limits. */
  readonly client: string;
  /** Name for the log. */
  readonly name: string;
  readonly onDefect: (error: unknown) => void;
}

/** Creates the session of a websocket. */
export function createEthereumSession({
  connect,
  socket,
  subscriptions: hub,
  limits,
  large,
  client,
  name,
  onDefect,
}: EthereumSessionOptions): Session {
  const waiting: Message[] = [];
  let running = 0;
  let awaitsTurn = false;
  let closed = false;
  let subscriptions: ConnectionSubscriptions | undefined;
  const dispatch = connect({
    client,
    name,
    takesStreams: false,
    // a call that outlives its connection must not open subscriptions: they would never be closed
    subscriptions: () => (closed ? undefined : (subscriptions ??= hub?.connect(socket))),
  });

  const end = (cutOff: CutOff): void => {
    if (subscriptions !== undefined) return subscriptions.end(cutOff);
    const { code, reason } = closeOf('ethereum', cutOff);
    socket.end(code, reason);
  };
  const answer = ({ text, consequences, later }: Reply): void => {
    // A deferred reply does not count as a running call, so others do not wait for it.
    if (later !== undefined) later.then(answer).catch(onDefect);
    // the hub cleans up closed connections by itself
    if (closed) return;
    if (text !== '') socket.send(text);
    for (const consequence of consequences) consequence.sent();
  };
  /** Reports an exception, and frees the bytes and the slot of its call. */
  const crashed = (error: unknown): Reply => {
    onDefect(error);
    return NOTHING;
  };
  const ask = (text: string): Reply | Promise<Reply> => {
    try {
      const reply = dispatch(text);
      return reply instanceof Promise ? reply.catch(crashed) : reply;
    } catch (error) {
      return crashed(error);
    }
  };
  const awaitTurn = (): void => {
    awaitsTurn = true;
    large
      .next()
      .then(() => {
        awaitsTurn = false;
        work(true);
      })
      .catch(onDefect);
  };
  /** Handles queued messages. `hasTurn`: the first message has its turn as a large message. */
  const work = (hasTurn = false): void => {
    let mayBeLarge = hasTurn;
    while (
      !closed &&
      !awaitsTurn &&
      running < limits.ethWsConcurrentCalls &&
      socket.bufferedBytes() < limits.socketPauseBytes
    ) {
      const [message] = waiting;
      if (message === undefined) return;
      if (message.bytes >= limits.largeRequestBytes && !mayBeLarge) {
        awaitTurn();
        return;
      }
      mayBeLarge = false;
      waiting.shift();
      const reply = ask(message.text());
      if (!(reply instanceof Promise)) {
        message.release();
        answer(reply);
        continue;
      }
      running += 1;
      reply
        .then((settled) => {
          running -= 1;
          message.release();
          answer(settled);
          work();
        })
        .catch(onDefect);
    }
  };

  return {
    onMessage(message) {
      if (closed || waiting.length >= limits.ethWsWaitingMessages) {
        message.release();
        if (!closed) end({ kind: 'greedy' });
        return;
      }
      waiting.push(message);
      work();
    },
    onNoRoom(bytes, reason) {
      if (closed || socket.bufferedBytes() >= limits.socketPauseBytes) return false;
      const id = idOf(bytes);
      if (id !== undefined) socket.send(errorText(id, limitExceeded(reason)));
      return id !== undefined;
    },
    onDrain() {
      if (closed) return;
      work();
      subscriptions?.drained();
    },
    onStalled() {
      if (subscriptions === undefined) end({ kind: 'slow', pending: socket.bufferedBytes() });
      else subscriptions.stalled();
    },
    onClose() {
      closed = true;
      for (const message of waiting.splice(0)) message.release();
      subscriptions?.closed();
    },
    stop(reason) {
      if (!closed) end({ kind: 'stopping', reason });
    },
  };
}
