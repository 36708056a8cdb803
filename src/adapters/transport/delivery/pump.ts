/**
 * Writes one ring of commits to many sockets (design section 7): one cork for each socket that is due, only while less
 * than the pause bound is buffered, with a turn for the event loop when it takes long. A socket that falls behind by more
 * than the cut-off bound is ended by its owner; it holds up nobody, for the others do not wait for it.
 */
import type { Limits } from '../../../core/limits.js';
import type { Clock, Timers } from '../../../core/ports/time.js';
import { DeliveryRing, type RingFrame, type RingReader } from '../../../core/subscriptions/ring.js';

/** The part of a socket that delivery uses; calls do nothing after the socket closed. */
export interface DeliverySocket {
  send(text: string): 'sent' | 'buffered' | 'dropped';
  bufferedBytes(): number;
  cork(run: () => void): void;
}

/** One subscription of one socket: what precedes every body, and whether it still receives. */
export interface DeliveryTarget {
  readonly prefix: string;
  open: boolean;
}

export type DeliveryFrame = RingFrame<DeliveryTarget>;

/** One socket as the pump sees it. */
export interface Outlet extends RingReader {
  /** Length of what waits in the ring for this socket. */
  backlog(): number;
  /** Less is buffered than the pause bound. */
  hasRoom(): boolean;
  /** Writes at once, past the ring: answers of a replay. */
  write(texts: readonly string[]): void;
  /** Resolves when there is room, or when the outlet closed. */
  room(): Promise<void>;
  /** The socket's buffer is empty again. */
  drained(): void;
  close(): void;
}

export interface Pump {
  /** `onSlow`: this socket did not read; its owner ends it. Called with the length of what waits for it. */
  attach(socket: DeliverySocket, onSlow: (pending: number) => void): Outlet;
  /** Puts a commit on its way: to each outlet its frames in order. The map is the pump's from now on. */
  publish(frames: Map<Outlet, readonly DeliveryFrame[]>): void;
  counters(): PumpCounters;
  stop(): void;
}

export interface PumpCounters {
  readonly outlets: number;
  readonly frames: number;
  readonly corks: number;
  readonly slow: number;
  readonly ringCommits: number;
  readonly ringBytes: number;
}

export interface PumpOptions {
  readonly limits: Pick<Limits, 'socketPauseBytes' | 'socketCutoffBytes' | 'ringCommits' | 'ringBytes'>;
  readonly timers: Timers;
  readonly clock: Clock;
  /** Up to so many due sockets are served at once, more after a pause in which commits gather; 64 unless told. */
  readonly atOnce?: number;
}

const AT_ONCE = 64;
const PAUSE_MS = 2;
/** After this long the event loop has its turn. */
const TURN_NS = 2_000_000n;

function backlogOf({ place }: RingReader): number {
  return place?.backlog ?? 0;
}

interface State {
  readonly socket: DeliverySocket;
  readonly onSlow: (pending: number) => void;
  /** Waiting until the socket has room. */
  readonly waiters: (() => void)[];
  closed: boolean;
}

export function createPump({ limits, timers, clock, atOnce = AT_ONCE }: PumpOptions): Pump {
  const ring = new DeliveryRing<Outlet, DeliveryTarget>(limits);
  const states = new Map<Outlet, State>();
  /** Outlets with something to read whose socket had room when last seen. */
  const due = new Set<Outlet>();
  const count = { frames: 0, corks: 0, slow: 0 };
  let running = false;
  let cancelPause: (() => void) | undefined;
  let resting = false;
  let stopped = false;

  const hasRoom = ({ socket }: State): boolean => socket.bufferedBytes() < limits.socketPauseBytes;

  /** Answers whether more can be written on a later turn without a drain. */
  const serve = (outlet: Outlet, state: State): boolean => {
    let written = 0;
    count.corks += 1;
    state.socket.cork(() => {
      for (let frame = ring.peek(outlet); frame !== undefined && hasRoom(state); frame = ring.peek(outlet)) {
        if (written >= limits.socketPauseBytes) return;
        ring.advance(outlet);
        if (!frame.target.open) continue;
        const text = frame.target.prefix + frame.body;
        written += text.length;
        count.frames += 1;
        if (state.socket.send(text) === 'dropped') return;
      }
    });
    // While corked everything may count as buffered; a kernel that then takes it all tells of no drain.
    return ring.peek(outlet) !== undefined && hasRoom(state);
  };
  const run = (): void => {
    cancelPause = undefined;
    if (running || stopped) return;
    running = true;
    const until = clock.now() + TURN_NS;
    for (const outlet of due) {
      due.delete(outlet);
      const state = states.get(outlet);
      if (state !== undefined && serve(outlet, state)) due.add(outlet);
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
    if (due.size <= atOnce) run();
    else cancelPause = timers.after(PAUSE_MS, run);
  };
  const slow = (outlet: Outlet): void => {
    const state = states.get(outlet);
    const pending = backlogOf(outlet);
    ring.leave(outlet);
    if (state === undefined) return;
    count.slow += 1;
    outlet.close();
    state.onSlow(pending);
  };

  return {
    attach(socket, onSlow) {
      const state: State = { socket, onSlow, waiters: [], closed: false };
      const wake = (): void => {
        for (const resolve of state.waiters.splice(0)) resolve();
      };
      const outlet: Outlet = {
        place: undefined,
        backlog: () => backlogOf(outlet),
        hasRoom: () => hasRoom(state),
        write(texts) {
          if (state.closed) return;
          count.frames += texts.length;
          count.corks += 1;
          socket.cork(() => {
            for (const text of texts) socket.send(text);
          });
        },
        room: () =>
          state.closed || hasRoom(state) ? Promise.resolve() : new Promise((resolve) => state.waiters.push(resolve)),
        drained() {
          if (state.closed) return;
          wake();
          if (ring.peek(outlet) === undefined) return;
          due.add(outlet);
          schedule();
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
    publish(frames) {
      for (const [outlet, list] of frames) {
        const state = states.get(outlet);
        if (state === undefined || list.length === 0) {
          frames.delete(outlet);
          continue;
        }
        const isOpen = hasRoom(state);
        // Judged by what waited before, and only while the socket takes nothing: neither one large commit nor a pump that
        // is behind makes anybody slow.
        if (backlogOf(outlet) > limits.socketCutoffBytes && !isOpen) {
          frames.delete(outlet);
          slow(outlet);
          continue;
        }
        if (isOpen) due.add(outlet);
      }
      ring.publish(frames);
      for (const outlet of ring.overdue()) slow(outlet);
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
