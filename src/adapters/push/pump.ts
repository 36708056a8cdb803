/**
 * Writes one ring of inputs to many sockets: one cork for each socket that is due, only while less than the pause bound
 * is buffered, with a turn for the event loop when it takes long. A socket whose client does not read is ended by its
 * owner; it delays no other socket, for the others do not wait for it.
 */
import type { Limits } from '../../core/limits/limits.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { DeliveryRing, type RingInput, type RingReader, type Unread } from '../../core/subscriptions/ring.js';
import { NS_PER_MS } from '../../core/primitives.js';

/** The part of a socket that delivery uses; calls do nothing after the socket closed. */
export interface DeliverySocket {
  send(text: string): 'sent' | 'buffered' | 'dropped';
  /** Bytes accepted that the kernel has not taken yet; answers of calls count too. */
  bufferedBytes(): number;
  cork(run: () => void): void;
}

/** One subscription of one socket: what precedes every body, and whether it still receives. */
export interface DeliveryTarget {
  readonly prefix: string;
  open: boolean;
  /** Notifications that were handed to its socket. */
  sent: number;
}

/** The events of a socket, for its owner. The outlet is closed before `slow` and `failed` are called. */
export interface OutletOwner<Target> {
  /** The client does not read: `pending` characters wait for it in the ring. */
  slow(pending: number): void;
  /**
   * The ring is full and this socket is among those that hold its oldest input: it goes on from the log, after what it
   * read.
   */
  behind(unread: readonly Unread<Target>[]): void;
  /** Writing to the socket threw: a defect of the socket, kept away from the others. */
  failed(error: unknown): void;
}

/** One socket as the pump sees it. */
export interface Outlet extends RingReader {
  /** Length of what waits in the ring for this socket. */
  backlog(): number;
  /** Writes past the ring, in one cork, the first text and further ones while there is room; returns how many. */
  write(texts: readonly string[]): number;
  /** Resolves when there is room, or when the outlet closed. */
  room(): Promise<void>;
  /** The socket's buffer is empty again. */
  drained(): void;
  /** While it is held nothing is written, as if its client did not read. */
  isHeld(): boolean;
  hold(isHeld: boolean): void;
  close(): void;
}

export interface Pump<Target extends DeliveryTarget> {
  attach(socket: DeliverySocket, owner: OutletOwner<Target>): Outlet;
  /** Puts an input on its way. Its map is the pump's from now on. */
  publish(input: RingInput<Outlet, Target>): void;
  counters(): PumpCounters;
  stop(): void;
}

export interface PumpCounters {
  readonly outlets: number;
  readonly frames: number;
  readonly corks: number;
  /** Sockets that were cut off because their clients did not read. */
  readonly slow: number;
  /** Sockets that were sent from the ring to the log. */
  readonly behind: number;
  /** Sockets that threw. */
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
  /** Waiting until the socket has room. */
  readonly waiters: (() => void)[];
  closed: boolean;
  held: boolean;
}

/** Makes the pump that writes the ring to the sockets that are due, within the limits of a turn. */
export function createPump<Target extends DeliveryTarget>({ limits, timers, clock }: PumpOptions): Pump<Target> {
  const turn = BigInt(limits.pumpTurnMs) * NS_PER_MS;
  const ring = new DeliveryRing<Outlet, Target>(limits);
  const states = new Map<Outlet, State<Target>>();
  /** Outlets with something to read whose socket had room when last seen. */
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
  /** Returns whether more can be written on a later turn without a drain. */
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
    // While corked everything may count as buffered; a kernel that then takes it all tells of no drain.
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
        // Judged by what waited before, and only while the socket takes nothing: neither one large commit nor a pump
        // that is behind makes a client slow.
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
