/** Notifications on their way to one socket: one cork per commit, a pause while it does not drain, a bound on what waits. */
import type { Limits } from '../../../core/limits.js';
import type { Subscription } from '../../../core/subscriptions/index.js';

/** The part of the transport's socket that a session uses. */
export interface SessionSocket {
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted that the kernel has not taken yet. */
  bufferedBytes(): number;
  /** Runs `run`; what it sends leaves in as few system calls as possible. */
  cork(run: () => void): void;
  close(code: number, reason: string): void;
}

export interface Notification {
  readonly subscription: Subscription;
  readonly text: string;
  /** Replayed ones are pulled as the client reads and do not make it slow. */
  readonly live: boolean;
}

export interface Outbox {
  /** True when the client reads so slowly that more must not be queued: live bytes beyond `socketCutoffBytes` wait. */
  isOverfull(): boolean;
  /** Queues and writes what the socket takes. */
  push(notifications: readonly Notification[]): void;
  /** True while the socket takes more. */
  hasRoom(): boolean;
  /** Forgets what waits for a subscription: nothing follows an unsubscribe response. */
  drop(subscription: Subscription): void;
  /** Writes on after the socket drained. */
  drain(): void;
  /** Resolves when nothing waits any more, or on `clear`. */
  emptied(): Promise<void>;
  clear(): void;
}

export function createOutbox(
  socket: SessionSocket,
  limits: Pick<Limits, 'socketPauseBytes' | 'socketCutoffBytes'>,
): Outbox {
  let waiting: Notification[] = [];
  let liveBytes = 0;
  let readers: (() => void)[] = [];

  const hasRoom = (): boolean => socket.bufferedBytes() < limits.socketPauseBytes;
  const count = (notification: Notification, sign: 1 | -1): void => {
    if (notification.live) liveBytes += sign * notification.text.length;
  };
  const wake = (): void => {
    const woken = readers;
    readers = [];
    for (const resolve of woken) resolve();
  };
  const flush = (): void => {
    // Again while there is room: inside a cork everything may count as buffered, and a kernel that takes it all at its end
    // tells of no drain.
    while (waiting.length > 0 && hasRoom()) {
      socket.cork(() => {
        let written = 0;
        for (let next = waiting[0]; next !== undefined && hasRoom(); next = waiting[written]) {
          socket.send(next.text);
          count(next, -1);
          written += 1;
        }
        waiting.splice(0, written);
      });
    }
    if (waiting.length === 0) wake();
  };

  return {
    isOverfull: () => liveBytes > limits.socketCutoffBytes,
    push(notifications) {
      for (const notification of notifications) {
        waiting.push(notification);
        count(notification, 1);
      }
      flush();
    },
    hasRoom,
    drop(subscription) {
      waiting = waiting.filter((notification) => {
        if (notification.subscription !== subscription) return true;
        count(notification, -1);
        return false;
      });
      if (waiting.length === 0) wake();
    },
    drain: flush,
    emptied: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => readers.push(resolve))),
    clear() {
      waiting = [];
      liveBytes = 0;
      wake();
    },
  };
}
