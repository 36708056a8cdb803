/**
 * One websocket: requests in, answers out, and the seam to its subscriptions. Calls run concurrently up to a bound, so
 * that a slow one does not hold up the others; answers may therefore change places, as in geth. Requests are taken only
 * while the client reads.
 */
import type { Limits } from '../../core/limits.js';
import type { Session, Socket } from '../transport/index.js';
import type { Dispatch, Reply } from './dispatcher.js';
import type { Connection } from './method.js';
import type { ConnectionSubscriptions, SubscriptionHub } from './subscription-seam.js';

/** RFC 6455: the client broke a rule of the server. */
const CLOSE_POLICY = 1008;
const CLOSE_GOING_AWAY = 1001;
/** Too slow to be served now. */
const CLOSE_TRY_LATER = 1013;

export interface EthereumSessionOptions {
  readonly connect: (connection: Connection) => Dispatch;
  readonly socket: Socket;
  readonly subscriptions: SubscriptionHub | undefined;
  readonly limits: Limits;
  /** Names this connection for limits per client. */
  readonly client: string;
  readonly onDefect: (error: unknown) => void;
}

export function createEthereumSession({
  connect,
  socket,
  subscriptions: hub,
  limits,
  client,
  onDefect,
}: EthereumSessionOptions): Session {
  const waiting: string[] = [];
  let waitingBytes = 0;
  let running = 0;
  let closed = false;
  let subscriptions: ConnectionSubscriptions | undefined;
  const dispatch = connect({
    client,
    // a call that outlives the connection must not open what nobody would close
    subscriptions: () => (closed ? undefined : (subscriptions ??= hub?.connect(socket))),
  });

  const answer = ({ text, consequences }: Reply): void => {
    // what the hub holds of a closed connection it drops by itself
    if (closed) return;
    if (text !== '') socket.send(text);
    for (const consequence of consequences) consequence.sent();
  };
  const work = (): void => {
    while (!closed && running < limits.ethWsConcurrentCalls && socket.bufferedBytes() < limits.socketPauseBytes) {
      const text = waiting.shift();
      if (text === undefined) return;
      waitingBytes -= text.length;
      const reply = dispatch(text);
      if (!(reply instanceof Promise)) {
        answer(reply);
        continue;
      }
      running += 1;
      reply
        .then((settled) => {
          running -= 1;
          answer(settled);
          work();
        })
        .catch(onDefect);
    }
  };

  return {
    onMessage(text) {
      if (closed) return;
      if (waiting.length >= limits.ethWsWaitingMessages || waitingBytes > limits.httpBodyBytes) {
        socket.end(CLOSE_POLICY, 'too many requests are waiting');
        return;
      }
      waiting.push(text);
      waitingBytes += text.length;
      work();
    },
    onDrain() {
      if (closed) return;
      work();
      subscriptions?.drained();
    },
    onStalled() {
      if (subscriptions?.stalled !== undefined) subscriptions.stalled();
      else socket.end(CLOSE_TRY_LATER, 'slow client');
    },
    onClose() {
      closed = true;
      waiting.length = 0;
      subscriptions?.closed();
    },
    stop(reason) {
      if (!closed) socket.end(CLOSE_GOING_AWAY, reason);
    },
  };
}
