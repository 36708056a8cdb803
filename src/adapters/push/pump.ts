/**
 * Writes a ring of inputs to many sockets. It writes to each socket in one cork while its buffer is below a limit,
 * and lets the event loop run if that takes long. A socket whose client does not read is closed by its owner and
 * never delays others.
 */
import type { Limits } from '../../core/limits/limits.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { DeliveryRing, type RingInput, type RingReader, type Unread } from '../../core/subscriptions/ring.js';
import { NS_PER_MS } from '../../core/primitives.js';

/** The socket methods that delivery uses; calls after the close do nothing. */
export interface DeliverySocket {
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted but not yet taken by the kernel, including responses. */
  bufferedBytes(): number;
  cork(run: () => void): void;
}

/** One subscription of a socket: its frame prefix, and whether it is open. */
export interface DeliveryTarget {
  readonly prefix: string;
  open: boolean;
  /** Number of notifications handed to its socket. */
  sent: number;
}

/** Callbacks to the owner of a socket. The outlet is closed before `slow` and `failed` are called. */
export interface OutletOwner<Target> {
  /** The client does not read; `pending`: characters queued for it in the ring. */
  slow(pending: number): void;
  /** The ring is full and this socket has not read its oldest input: it must continue from the log. */
  behind(unread: readonly Unread<Target>[]): void;
  /** Writing to the socket threw (a bug); other sockets are not affected. */
  failed(error: unknown): void;
}

/** A socket registered with the pump. */
export interface Outlet extends RingReader {
  /** Characters queued in the ring for this socket. */
  backlog(): number;
  /**
   * Writes texts directly, bypassing the ring: the first one, and further ones while there is room; returns how many.
   */
  write(texts: readonly string[]): number;
  /** Resolves when there is room, or when the outlet is closed. */
  room(): Promise<void>;
  /** Call it when the socket's buffer is empty again. */
  drained(): void;
  /** While held, nothing is written, as if the client did not read. */
  isHeld(): boolean;
  hold(isHeld: boolean): void;
  close(): void;
}

export interface Pump<Target extends DeliveryTarget> {
  attach(socket: DeliverySocket, owner: OutletOwner<Target>): Outlet;
  /** Queues an input. The pump takes ownership of its map. */
  publish(input: RingInput<Outlet, Target>): void;
  counters(): PumpCounters;
  stop(): void;
}

export interface PumpCounters {
  readonly outlets: number;
  readonly frames: number;
  readonly corks: number;
  /** Number of sockets disconnected because their clients did not read. */
  readonly slow: number;
  /** Number of sockets that had to continue from the log. */
  readonly behind: number;
  /** Number of sockets that threw. */
  readonly failed: number;
  readonly ringCommits: number;
  readonly ringBytes: number;
}

export interface PumpOptions {
  readonly limits: Pick<
    Limits,
    'socketPauseBytes' | 'socketCutoffBytes' | 'ringCommits' | 'ringBytes' | 'pumpAtOnce' | 'pumpPauseMs' | 'pumpTurnMs'
  >;
  readonly timers: Timers;
  readonly clock: Clock;
}

interface State<Target> {
  readonly socket: DeliverySocket;
  readonly owner: OutletOwner<Target>;
  /** Resolvers of pending `room` calls. */
  readonly waiters: (() => void)[];
  closed: boolean;
  held: boolean;
}

/** Creates a pump. */
export function createPump<Target extends DeliveryTarget>({ limits, timers, clock }: PumpOptions): Pump<Target> {
  const turn = BigInt(limits.pumpTurnMs) * NS_PER_MS;
  const ring = new DeliveryRing<Outlet, Target>(limits);
  const states = new Map<Outlet, State<Target>>();
  /** Outlets with queued inputs whose sockets had room at the last write. */
  const due = new Set<Outlet>();
  const count = { frames: 0, corks: 0, slow: 0, behind: 0, failed: 0 };
  let running = false;
  let cancelPause: (() => void) | undefined;
  let resting = false;
  let stopped = false;

  const hasRoom = ({ socket, held }: State<Target>): boolean =>
    !held && socket.bufferedBytes() < limits.socketPauseBytes;

  const fail = (outlet: Outlet, { owner }: State<Target>, error: unknown): void => {
    count.failed += 1;
    outlet.close();
    owner.failed(error);
  };
  /** Writes to a socket; returns true if more can be written in a later turn without waiting for a drain. */
  const serve = (outlet: Outlet, state: State<Target>): boolean => {
    let written = 0;
    count.corks += 1;
    state.socket.cork(() => {
      for (let frame = ring.peek(outlet); frame !== undefined && hasRoom(state); frame = ring.peek(outlet)) {
        if (written >= limits.socketPauseBytes) return;
        ring.advance(outlet);
        if (!frame.target.open) continue;
        const text = frame.target.prefix + frame.body.text;
        written += text.length;
        count.frames += 1;
        frame.target.sent += 1;
        if (state.socket.send(text) === 'dropped') return;
      }
    });
    // While corked, all data may count as buffered; if the kernel then takes it all, there is no drain event.
    return ring.peek(outlet) !== undefined && hasRoom(state);
  };
  const serveSafely = (outlet: Outlet, state: State<Target>): boolean => {
    try {
      return serve(outlet, state);
    } catch (error) {
      fail(outlet, state, error);
      return false;
    }
  };
  const run = (): void => {
    cancelPause = undefined;
    if (running || stopped) return;
    running = true;
    const until = clock.now() + turn;
    for (const outlet of due) {
      due.delete(outlet);
      const state = states.get(outlet);
      if (state !== undefined && serveSafely(outlet, state)) due.add(outlet);
      if (due.size > 0 && clock.now() >= until) break;
    }
    running = false;
    if (due.size > 0) rest();
  };
  const rest = (): void => {
    resting = true;
    void timers.yield().then(() => {
      resting = false;
      run();
    });
  };
  const schedule = (): void => {
    if (due.size === 0 || running || resting || stopped || cancelPause !== undefined) return;
    if (due.size <= limits.pumpAtOnce) run();
    else cancelPause = timers.after(limits.pumpPauseMs, run);
  };
  const cutOff = (outlet: Outlet, { owner }: State<Target>): void => {
    const pending = backlogOf(outlet);
    count.slow += 1;
    outlet.close();
    owner.slow(pending);
  };
  const leaveRing = (outlet: Outlet): void => {
    const unread = ring.unread(outlet);
    ring.leave(outlet);
    due.delete(outlet);
    count.behind += 1;
    states.get(outlet)?.owner.behind(unread);
  };

  return {
    attach(socket, owner) {
      const state: State<Target> = { socket, owner, waiters: [], closed: false, held: false };
      const wake = (): void => {
        for (const resolve of state.waiters.splice(0)) resolve();
      };
      const outlet: Outlet = {
        place: undefined,
        backlog: () => backlogOf(outlet),
        write(texts) {
          if (state.closed) return texts.length;
          let written = 0;
          count.corks += 1;
          socket.cork(() => {
            for (const text of texts) {
              if (written > 0 && !hasRoom(state)) return;
              written += 1;
              if (socket.send(text) === 'dropped') return;
            }
          });
          count.frames += written;
          return written;
        },
        room: () =>
          state.closed || hasRoom(state) ? Promise.resolve() : new Promise((resolve) => state.waiters.push(resolve)),
        drained() {
          if (state.closed || state.held) return;
          wake();
          if (ring.peek(outlet) === undefined) return;
          due.add(outlet);
          schedule();
        },
        isHeld: () => state.held,
        hold(isHeld) {
          state.held = isHeld;
          if (!isHeld && hasRoom(state)) outlet.drained();
        },
        close() {
          if (state.closed) return;
          state.closed = true;
          states.delete(outlet);
          due.delete(outlet);
          ring.leave(outlet);
          wake();
        },
      };
      states.set(outlet, state);
      return outlet;
    },
    publish(input) {
      const { frames } = input;
      for (const [outlet, list] of frames) {
        const state = states.get(outlet);
        if (state === undefined || list.length === 0) {
          frames.delete(outlet);
          continue;
        }
        const isOpen = hasRoom(state);
        // A client is slow only if its earlier backlog is too large while its socket takes nothing: a single large
        // commit, or a pump that is behind, does not count.
        if (backlogOf(outlet) > limits.socketCutoffBytes && !isOpen) {
          frames.delete(outlet);
          cutOff(outlet, state);
          continue;
        }
        if (isOpen) due.add(outlet);
      }
      ring.publish(input);
      for (const outlet of ring.overdue()) leaveRing(outlet);
      schedule();
    },
    counters: () => ({ outlets: states.size, ...count, ringCommits: ring.size, ringBytes: ring.bytes }),
    stop() {
      stopped = true;
      cancelPause?.();
      for (const outlet of [...states.keys()]) outlet.close();
    },
  };
}

function backlogOf({ place }: RingReader): number {
  return place?.backlog ?? 0;
}
