/** The subscriptions of one websocket of any face. */
import type { Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { toPosition } from '../../core/primitives.js';
import {
  cursorAfter,
  cursorWithin,
  INPUT_KINDS,
  inputKindOf,
  positionOf,
  type Client,
  type Cursor,
  type InputKind,
  type NodeSubscriptions,
  type ReplayStart,
  type Subscription,
  type SubscriptionRefusal,
  type Unread,
} from '../../core/subscriptions/index.js';
import { closeOf, type CutOff } from './cut-off.js';
import type { PushAnswer, PushEncoding, PushRequest, PushSocket, PushStart, PushSubscription } from './face.js';
import type { Delivery } from './delivery.js';
import { followedBy } from './followed-by.js';
import type { Pump } from './pump.js';
import { goLive, replay, type ReplayedFrame } from './replay.js';

export interface PushConnection {
  /**
   * Registers a subscription. The result is a promise only if a cursor must be looked up in the log, or while the
   * registry restarts. After a refusal nothing is subscribed.
   */
  subscribe(request: PushRequest): PushAnswer | Promise<PushAnswer>;
  /** Call it when the socket's send buffer is empty again. */
  drained(): void;
  /** Call it when the client has read nothing for too long. */
  stalled(): void;
  /** Ends every subscription with its final frame, then the socket. */
  end(cutOff: CutOff): void;
  /** Call it when the socket has closed; idempotent. */
  closed(): void;
}

export interface ConnectionParts {
  readonly subscriptions: NodeSubscriptions;
  readonly pump: Pump<Delivery>;
  readonly timers: Timers;
  readonly limits: Pick<Limits, 'replayInputsPerTurn'>;
  readonly onDefect: (error: unknown) => void;
  /** The open subscriptions of all connections. */
  readonly deliveries: Map<Subscription, Delivery>;
  /** Number of the connection. */
  readonly client: number;
  /** Called when subscriptions end, with the reason. */
  readonly ended: (some: readonly Delivery[], reason: string) => void;
  readonly closed: () => void;
}

/** Creates the push connection of a socket. */
export function connect(encoding: PushEncoding, socket: PushSocket, parts: ConnectionParts): PushConnection {
  const { pump, timers, limits, onDefect } = parts;
  const { registry, history, source } = parts.subscriptions;
  const client: Client = { face: encoding.face };
  const mine = new Set<Delivery>();
  let isClosed = false;
  /** Replays of a connection run one at a time, so that a client cannot cause many concurrent log reads. */
  let replays: Promise<void> = Promise.resolve();

  const forget = (some: readonly Delivery[], reason: string): void => {
    parts.ended(some, reason);
    for (const delivery of some) {
      // Its queued frames in the ring are then skipped.
      delivery.open = false;
      mine.delete(delivery);
      parts.deliveries.delete(delivery.subscription);
    }
    registry.forget(some.map(({ subscription }) => subscription));
  };
  const endOne = (delivery: Delivery): boolean => {
    if (!delivery.open) return false;
    forget([delivery], 'unsubscribed');
    return true;
  };
  const close = (reason: string): void => {
    if (isClosed) return;
    isClosed = true;
    forget([...mine], reason);
    writer.close();
    parts.closed();
  };
  const end = (cutOff: CutOff): void => {
    if (isClosed) return;
    const { code, reason } = closeOf(encoding.face, cutOff);
    const words = [...mine].flatMap(({ finalFrame }) => finalFrame?.(reason) ?? []);
    close(reason);
    if (words.length > 0) socket.cork(() => words.forEach((text) => socket.send(text)));
    socket.end(code, reason);
  };
  const writer = pump.attach(socket, {
    slow: (pending) => end({ kind: 'slow', pending }),
    behind: (unread) => resumeFromLog(unread),
    failed(error) {
      onDefect(error);
      try {
        end({ kind: 'defect' });
      } catch {
        // Ignore: the socket has failed before.
      }
    },
  });

  const write = async (frames: readonly ReplayedFrame[]): Promise<void> => {
    for (let rest = frames; rest.length > 0;) {
      await writer.room();
      rest = rest.filter(({ delivery }) => delivery.open);
      if (rest.length === 0) return;
      const written = writer.write(rest.map(({ text }) => text));
      for (const { delivery, position } of rest.slice(0, written)) {
        delivery.sent += 1;
        delivery.made += 1;
        delivery.newest = position;
      }
      rest = rest.slice(written);
    }
  };
  const cut = (delivery: Delivery, reason: string): void => {
    if (!delivery.open) return;
    if (delivery.finalFrame === undefined) return end({ kind: 'cut', reason });
    forget([delivery], reason);
    socket.send(delivery.finalFrame(reason));
  };
  const replayFailed = (group: Iterable<Delivery>): void => {
    const cutOff: CutOff = { kind: 'replay-failed' };
    const { reason } = closeOf(encoding.face, cutOff);
    for (const delivery of [...group].filter(({ open }) => open)) {
      if (delivery.finalFrame === undefined) return end(cutOff);
      forget([delivery], reason);
      socket.send(delivery.finalFrame(reason));
    }
  };
  const startReplay = (group: ReadonlyMap<Delivery, Cursor>, inputKind: InputKind, start: ReplayStart): void => {
    for (const delivery of group.keys()) delivery.state = 'replaying';
    replays = replays
      .then(() =>
        replay(group, start, {
          read: (from) => history.read(inputKind, from),
          shown: () => registry.shown(inputKind),
          write,
          rest: () => timers.yield(),
          inputsPerTurn: limits.replayInputsPerTurn,
        }),
      )
      .catch((error: unknown) => {
        onDefect(error);
        replayFailed(group.keys());
      });
  };
  /**
   * Called when the ring dropped unread inputs of this socket: each subscription continues from the log, after its
   * last sent input.
   */
  const resumeFromLog = (unread: readonly Unread<Delivery>[]): void => {
    for (const inputKind of INPUT_KINDS) {
      const first = unread.find((one) => one.kind === inputKind);
      if (first === undefined) continue;
      const before = cursorWithin(first.position, -1);
      const group = new Map<Delivery, Cursor>();
      for (const delivery of mine) {
        if (delivery.inputKind !== inputKind || delivery.state !== 'live') continue;
        delivery.made = delivery.sent;
        group.set(delivery, delivery.since > before.after ? cursorAfter(delivery.since) : before);
      }
      for (const { target, body } of first.frames.slice(0, first.offset))
        if (group.has(target)) group.set(target, cursorWithin(first.position, body.index));
      startReplay(group, inputKind, { after: before.after });
    }
  };

  const judge = (start: PushStart): SubscriptionRefusal | undefined | Promise<SubscriptionRefusal | undefined> => {
    if (start.kind !== 'cursor') return undefined;
    return positionOf(start.cursor) > source.head() ? { code: 'cursor-ahead' } : history.judge(start.cursor);
  };
  const activate = (delivery: Delivery, start: ReplayStart, cursor: Cursor): void => {
    if (!delivery.open || delivery.state !== 'waiting') return;
    if ('after' in start && start.after === registry.shown(delivery.inputKind)) goLive(delivery, start.after);
    else startReplay(new Map([[delivery, cursor]]), delivery.inputKind, start);
  };
  const hold = (subscription: Subscription, request: PushRequest): PushSubscription => {
    const { criteria } = subscription;
    const inputKind = inputKindOf(criteria);
    const delivery: Delivery = {
      subscription,
      inputKind,
      writer,
      encoding,
      form: encoding.formOf(criteria),
      cursors: request.cursors,
      prefix: request.prefix(criteria),
      finalFrame: request.finalFrame,
      open: true,
      sent: 0,
      made: 0,
      newest: undefined,
      client: parts.client,
      state: 'waiting',
      since: toPosition(0n),
      defect: () => end({ kind: 'defect' }),
      waiting: () => writer.backlog() + socket.bufferedBytes(),
      cut: (reason) => cut(delivery, reason),
    };
    mine.add(delivery);
    parts.deliveries.set(subscription, delivery);
    const { start } = request;
    const cursor =
      start.kind === 'cursor'
        ? start.cursor
        : cursorAfter(start.kind === 'now' ? registry.shown(inputKind) : toPosition(0n));
    const from: ReplayStart = start.kind === 'height' ? { height: start.height } : { after: cursor.after };
    return { criteria, activate: () => activate(delivery, from, cursor), end: () => endOne(delivery) };
  };

  return {
    subscribe(request) {
      return followedBy(judge(request.start), (refusal): PushAnswer | Promise<PushAnswer> => {
        if (refusal !== undefined) return { ok: false, refusal };
        return followedBy(registry.subscribe(client, request.criteria), (decision): PushAnswer => {
          if (!decision.ok) return decision;
          if (!isClosed) return { ok: true, subscription: hold(decision.subscription, request) };
          // The socket closed meanwhile, so drop the new subscription.
          registry.forget([decision.subscription]);
          return { ok: false, refusal: { code: 'failed', error: { code: 'busy', what: 'connection' } } };
        });
      });
    },
    drained: () => writer.drained(),
    stalled: () => end({ kind: 'slow', pending: writer.backlog() + socket.bufferedBytes() }),
    end,
    closed: () => close('connection closed'),
  };
}
