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

/** Callbacks to the owner of a socket. The writer is closed before `slow` and `failed` are called. */
export interface SocketOwner<Target> {
  /** The client does not read; `pending`: characters queued for it in the ring. */
  slow(pending: number): void;
  /** The ring is full and this socket has not read its oldest input: it must continue from the log. */
  behind(unread: readonly Unread<Target>[]): void;
  /** Writing to the socket threw (a bug); other sockets are not affected. */
  failed(error: unknown): void;
}

/** A socket registered with the pump. */
export interface SocketWriter extends RingReader {
  /** Characters queued in the ring for this socket. */
  backlog(): number;
  /**
   * Writes texts directly, bypassing the ring: the first one, and further ones while there is room; returns how many.
   */
  write(texts: readonly string[]): number;
  /** Resolves when there is room, or when the writer is closed. */
  room(): Promise<void>;
  /** Call it when the socket's buffer is empty again. */
  drained(): void;
  /** While held, nothing is written, as if the client did not read. */
  isHeld(): boolean;
  hold(isHeld: boolean): void;
  close(): void;
}

export interface Pump<Target extends DeliveryTarget> {
  attach(socket: DeliverySocket, owner: SocketOwner<Target>): SocketWriter;
  /** Queues an input. The pump takes ownership of its map. */
  publish(input: RingInput<SocketWriter, Target>): void;
  counters(): PumpCounters;
  stop(): void;
}

export interface PumpCounters {
  readonly sockets: number;
  readonly frames: number;
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
  readonly owner: SocketOwner<Target>;
  /** Resolvers of pending `room` calls. */
  readonly waiters: (() => void)[];
  closed: boolean;
  held: boolean;
}

/** Creates a pump. */
export function createPump<Target extends DeliveryTarget>({ limits, timers, clock }: PumpOptions): Pump<Target> {
  const turn = BigInt(limits.pumpTurnMs) * NS_PER_MS;
  const ring = new DeliveryRing<SocketWriter, Target>(limits);
  const states = new Map<SocketWriter, State<Target>>();
  /** Writers with queued inputs whose sockets had room at the last write. */
  const due = new Set<SocketWriter>();
  const count = { frames: 0, slow: 0, behind: 0, failed: 0 };
  let running = false;
  let cancelPause: (() => void) | undefined;
  let resting = false;
  let stopped = false;

  const hasRoom = ({ socket, held }: State<Target>): boolean =>
    !held && socket.bufferedBytes() < limits.socketPauseBytes;

  const fail = (writer: SocketWriter, { owner }: State<Target>, error: unknown): void => {
    count.failed += 1;
    writer.close();
    owner.failed(error);
  };
  /** Writes to a socket; returns true if more can be written in a later turn without waiting for a drain. */
  const serve = (writer: SocketWriter, state: State<Target>): boolean => {
    let written = 0;
    state.socket.cork(() => {
      for (let frame = ring.peek(writer); frame !== undefined && hasRoom(state); frame = ring.peek(writer)) {
        if (written >= limits.socketPauseBytes) return;
        ring.advance(writer);
        if (!frame.target.open) continue;
        const text = frame.target.prefix + frame.body.text;
        written += text.length;
        count.frames += 1;
        frame.target.sent += 1;
        if (state.socket.send(text) === 'dropped') return;
      }
    });
    // While corked, all data may count as buffered; if the kernel then takes it all, there is no drain event.
    return ring.peek(writer) !== undefined && hasRoom(state);
  };
  const serveSafely = (writer: SocketWriter, state: State<Target>): boolean => {
    try {
      return serve(writer, state);
    } catch (error) {
      fail(writer, state, error);
      return false;
    }
  };
  const run = (): void => {
    cancelPause = undefined;
    if (running || stopped) return;
    running = true;
    const until = clock.now() + turn;
    for (const writer of due) {
      due.delete(writer);
      const state = states.get(writer);
      if (state !== undefined && serveSafely(writer, state)) due.add(writer);
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
  const cutOff = (writer: SocketWriter, { owner }: State<Target>): void => {
    const pending = backlogOf(writer);
    count.slow += 1;
    writer.close();
    owner.slow(pending);
  };
  const leaveRing = (writer: SocketWriter): void => {
    const unread = ring.unread(writer);
    ring.leave(writer);
    due.delete(writer);
    count.behind += 1;
    states.get(writer)?.owner.behind(unread);
  };

  return {
    attach(socket, owner) {
      const state: State<Target> = { socket, owner, waiters: [], closed: false, held: false };
      const wake = (): void => {
        for (const resolve of state.waiters.splice(0)) resolve();
      };
      const writer: SocketWriter = {
        place: undefined,
        backlog: () => backlogOf(writer),
        write(texts) {
          if (state.closed) return texts.length;
          let written = 0;
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
          if (ring.peek(writer) === undefined) return;
          due.add(writer);
          schedule();
        },
        isHeld: () => state.held,
        hold(isHeld) {
          state.held = isHeld;
          if (!isHeld && hasRoom(state)) writer.drained();
        },
        close() {
          if (state.closed) return;
          state.closed = true;
          states.delete(writer);
          due.delete(writer);
          ring.leave(writer);
          wake();
        },
      };
      states.set(writer, state);
      return writer;
    },
    publish(input) {
      const { frames } = input;
      for (const [writer, list] of frames) {
        const state = states.get(writer);
        if (state === undefined || list.length === 0) {
          frames.delete(writer);
          continue;
        }
        const isOpen = hasRoom(state);
        // A client is slow only if its earlier backlog is too large while its socket takes nothing: a single large
        // commit, or a pump that is behind, does not count.
        if (backlogOf(writer) > limits.socketCutoffBytes && !isOpen) {
          frames.delete(writer);
          cutOff(writer, state);
          continue;
        }
        if (isOpen) due.add(writer);
      }
      ring.publish(input);
      for (const writer of ring.overdue()) leaveRing(writer);
      schedule();
    },
    counters: () => ({ sockets: states.size, ...count, ringCommits: ring.size, ringBytes: ring.bytes }),
    stop() {
      stopped = true;
      cancelPause?.();
      for (const writer of [...states.keys()]) writer.close();
    },
  };
}

function backlogOf({ place }: RingReader): number {
  return place?.backlog ?? 0;
}
