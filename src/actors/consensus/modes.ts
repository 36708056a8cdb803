/** Modes of block production. Only modes: heights, rounds and votes are data of the pure step. */
import { assign, getInitialSnapshot, getNextSnapshot, setup, type SnapshotFrom } from 'xstate';

export type ConsensusMode = 'stopped' | 'waiting' | 'deciding' | 'committing' | 'draining' | 'halted' | 'failed';

export type ModeEvent =
  | { readonly type: 'start' }
  | { readonly type: 'mine' }
  | { readonly type: 'decided' }
  /** The decision is stored and there is a next height. */
  | { readonly type: 'stored' }
  /** The decision asks for a halt. */
  | { readonly type: 'halted' }
  | { readonly type: 'failed' }
  /** The round in flight is given up. */
  | { readonly type: 'abandoned' }
  /** No block after the one in flight. */
  | { readonly type: 'halt' }
  | { readonly type: 'stop' };

interface Closing {
  readonly into: 'halted' | 'stopped';
}

/** While a block is in flight, halting and stopping wait for it in `draining`. */
const drains = {
  halt: { target: 'draining', actions: assign<Closing, ModeEvent, undefined, ModeEvent, never>({ into: 'halted' }) },
  stop: { target: 'draining', actions: assign<Closing, ModeEvent, undefined, ModeEvent, never>({ into: 'stopped' }) },
} as const;

const machine = setup({ types: { context: {} as Closing, events: {} as ModeEvent } }).createMachine({
  context: { into: 'stopped' },
  initial: 'stopped',
  states: {
    stopped: { on: { start: 'waiting' } },
    waiting: { on: { mine: 'deciding', halt: 'halted', stop: 'stopped', failed: 'failed' } },
    deciding: { on: { ...drains, decided: 'committing', failed: 'failed' } },
    committing: { on: { ...drains, stored: 'waiting', halted: 'halted', failed: 'failed' } },
    draining: {
      on: {
        stop: { actions: assign({ into: 'stopped' }) },
        stored: [{ guard: ({ context }) => context.into === 'halted', target: 'halted' }, { target: 'stopped' }],
        abandoned: 'stopped',
        halted: 'halted',
        failed: 'failed',
      },
    },
    halted: { on: { start: 'waiting' } },
    failed: {},
  },
});

export interface Modes {
  readonly mode: () => ConsensusMode;
  /** Events that the present mode does not know change nothing. */
  send(event: ModeEvent): void;
}

type Snapshot = SnapshotFrom<typeof machine>;

/** By mode, where it closes into, and event. Nothing else decides what follows, so each of these is asked of the machine once: three for every block. */
const following = new Map<string, Snapshot>();

function after(snapshot: Snapshot, event: ModeEvent): Snapshot {
  const name = `${snapshot.value}/${snapshot.context.into}/${event.type}`;
  const known = following.get(name);
  if (known !== undefined) return known;
  const next = getNextSnapshot(machine, snapshot, event);
  following.set(name, next);
  return next;
}

export function createModes(): Modes {
  let snapshot = getInitialSnapshot(machine);
  return {
    mode: () => snapshot.value,
    send(event) {
      snapshot = after(snapshot, event);
    },
  };
}
