import { enqueueActions, setup } from 'xstate';
import { heardWhen, type Executed, type Halted, type ChainReverted } from '../../streams/index.js';
import { READY, type StopRequested } from '../shell/child.js';
import { heard, type Started } from '../shell/heard.js';
import type { Reply } from '../shell/inbox.js';
import type { MineCommand, PauseCommand } from './command-queue.js';
import type { ExpiredTimeout } from '../../core/consensus/height-memory.js';
import type { Mining } from '../../core/chain/mining.js';
import type { Available, ConsensusPorts, PreparationEnded } from './ports.js';
import type { ConsensusMode, Production } from './production.js';

export type ConsensusCommand =
  | PauseCommand
  | MineCommand
  /** A lease was released. */
  | { readonly type: 'released' }
  /** Changes the mining mode; a block in flight is finished first. */
  | { readonly type: 'setMining'; readonly mining: Mining; readonly reply: Reply<undefined> };

type Message = Available | PreparationEnded | Executed | Halted | ChainReverted;
type RoundTimer = { readonly type: 'expired' } & ExpiredTimeout;
type ConsensusEvent = Started | Message | RoundTimer | ConsensusCommand | StopRequested;

export interface ConsensusInput {
  readonly production: Production;
  readonly ports: Pick<ConsensusPorts, 'available' | 'prepared' | 'stream'>;
}

const isAt =
  (mode: ConsensusMode) =>
  ({ context }: { readonly context: ConsensusInput }): boolean =>
    context.production.mode === mode;

/**
 * A consensus step that waits for its timer. Signatures are kept in `ConsensusMemory`, so the actor can stop at any
 * time.
 */
const ROUND = {
  tags: READY,
  on: { expired: { target: 'choice', actions: 'expire' }, stopRequested: 'stopped' },
} as const;

/** If all validators are local, the block is decided within `startRound`; `commit` checks whether it is. */
const BEGIN = { target: '#consensus.commit', actions: 'startRound' } as const;
/** When more transactions are pending than fit by gas limits, they are executed before the block is built. */
const BEGIN_FILLED = [
  { guard: 'isOverfull', target: '#consensus.newHeight.preparing', actions: 'prepare' },
  BEGIN,
] as const;
const WHEN_AVAILABLE = {
  available: [
    { guard: 'expectsMore', target: 'gathering' },
    { guard: 'isInstant', target: 'due' },
    { guard: 'awaitsTransactions', target: 'choosing' },
  ],
} as const;

/**
 * Block production. `newHeight` decides when a block starts; the step states wait for timers and have the names of
 * CometBFT's steps (`RoundStep...` of CometBFT 0.38 `consensus/types/round_state.go`); `commit` waits until the decided
 * block is applied. All votes for one input are made in one turn, so with only local validators a block passes through
 * `newHeight` and `commit` only.
 */
export const consensusMachine = setup({
  types: {
    context: {} as ConsensusInput,
    events: {} as ConsensusEvent,
    input: {} as ConsensusInput,
  },
  actors: { heard: heard<Message>() },
  guards: {
    hasRequestedBlock: ({ context }) => context.production.commands.hasBlock(),
    isLeased: ({ context }) => context.production.commands.lease !== undefined,
    hasIncludable: ({ context }) => context.production.hasIncludable,
    expectsMore: ({ context: { production } }) => production.isInstant && production.expectsMore,
    isOverfull: ({ context }) => context.production.isOverfull,
    hasPause: ({ context }) => context.production.pauseMs() !== undefined,
    isUndecided: ({ context }) => context.production.mode !== 'commit',
    isInstant: ({ context }) => context.production.isInstant,
    awaitsTransactions: ({ context }) => context.production.awaitsTransactions,
    isApplied: ({ context, event }) =>
      event.type === 'executed' && event.data.height >= (context.production.height ?? 0n),
  },
  delays: {
    gathering: ({ context }) => context.production.gatheringMs(),
    pause: ({ context }) => context.production.pauseMs() ?? 0,
  },
  actions: {
    resume: ({ context }) => context.production.resume(),
    prepare: ({ context }) => context.production.prepare(),
    startRound: ({ context }) => context.production.startRound(),
    nextHeight: ({ context }) => context.production.nextHeight(),
    revert: ({ context }) => context.production.revert(),
    serveWaiting: ({ context }) => context.production.serveWaiting(),
    halt: ({ context }) => context.production.halt(),
    expire({ context, event }) {
      if (event.type !== 'expired') return;
      context.production.take({ kind: 'expired', self: event.self, timeout: event.timeout });
    },
    enqueue({ context, event }) {
      if (event.type === 'pause' || event.type === 'mine') context.production.commands.add(event);
    },
    setMining({ context, event }) {
      if (event.type !== 'setMining') return;
      context.production.setMining(event.mining);
      event.reply({ ok: true, value: undefined });
    },
    setTimers: enqueueActions(({ context, enqueue }) => {
      for (const { self, start } of context.production.timerChanges()) {
        const id = `round timer of validator ${self}`;
        enqueue.cancel(id);
        if (start === undefined) continue;
        const { timeout, milliseconds } = start;
        enqueue.raise({ type: 'expired', self, timeout } satisfies RoundTimer, { id, delay: milliseconds });
      }
    }),
  },
}).createMachine({
  id: 'consensus',
  context: ({ input }) => input,
  invoke: {
    src: 'heard',
    input: ({ context: { production, ports }, self }) => ({
      sources: [
        ports.stream.live,
        heardWhen(ports.available, () => production.takesFirstTransaction()),
        ports.prepared,
      ],
      consumer: self,
    }),
    onError: {
      actions({ event }) {
        throw event.error;
      },
    },
  },
  initial: 'starting',
  on: {
    pause: { actions: 'enqueue' },
    mine: { actions: 'enqueue' },
    setMining: { actions: 'setMining' },
    reverted: { target: '.choice', actions: 'revert' },
  },
  states: {
    starting: { on: { started: { target: 'choice', actions: 'resume' }, stopRequested: 'stopped' } },

    /** Selects the state that matches the mode after an input. */
    choice: {
      entry: 'setTimers',
      always: [
        { guard: isAt('commit'), target: 'commit' },
        { guard: isAt('newHeight'), target: 'newHeight' },
        { guard: isAt('propose'), target: 'propose' },
        { guard: isAt('prevote'), target: 'prevote' },
        { guard: isAt('prevoteWait'), target: 'prevoteWait' },
        { guard: isAt('precommit'), target: 'precommit' },
        { guard: isAt('precommitWait'), target: 'precommitWait' },
        { target: 'halted' },
      ],
    },

    newHeight: {
      tags: READY,
      initial: 'choosing',
      on: {
        pause: { target: '.choosing', actions: 'enqueue' },
        mine: { target: '.choosing', actions: 'enqueue' },
        setMining: { target: '.choosing', actions: 'setMining' },
        released: '.choosing',
        executed: { guard: 'isApplied', target: '.choosing', actions: 'nextHeight' },
        stopRequested: 'stopped',
      },
      states: {
        choosing: {
          entry: 'serveWaiting',
          always: [
            { guard: 'hasRequestedBlock', target: 'due' },
            { guard: 'isLeased', target: 'leased' },
            { guard: 'hasIncludable', target: 'gathering' },
            { guard: 'hasPause', target: 'pausing' },
            { target: 'idle' },
          ],
        },
        /** Only the lease holder's blocks are made. */
        leased: {},
        /** A block starts in a later turn of the event loop. */
        due: { after: { 0: BEGIN_FILLED } },
        /** Transactions arrived during or right after the last block; waits briefly for more. */
        gathering: { after: { gathering: BEGIN_FILLED } },
        pausing: { after: { pause: BEGIN_FILLED }, on: WHEN_AVAILABLE },
        idle: { on: WHEN_AVAILABLE },
        /** The transactions of the block are being executed in advance. Only a granted lease aborts that. */
        preparing: {
          on: {
            prepared: BEGIN,
            pause: { guard: 'isLeased', actions: 'enqueue' },
            mine: { actions: 'enqueue' },
            setMining: { actions: 'setMining' },
            released: {},
          },
        },
      },
    },

    propose: ROUND,
    prevote: ROUND,
    prevoteWait: ROUND,
    precommit: ROUND,
    precommitWait: ROUND,

    /** A block is decided and being applied by the pipeline. */
    commit: {
      tags: READY,
      always: { guard: 'isUndecided', target: 'choice' },
      on: {
        executed: { guard: 'isApplied', target: 'newHeight', actions: 'nextHeight' },
        halted: 'halted',
        stopRequested: 'closing',
      },
    },
    /** Stops when the block is applied. */
    closing: {
      tags: READY,
      on: {
        executed: { guard: 'isApplied', target: 'stopped', actions: 'nextHeight' },
        halted: 'stopped',
      },
    },

    halted: {
      tags: READY,
      entry: 'halt',
      on: {
        pause: { actions: ['enqueue', 'halt'] },
        mine: { actions: ['enqueue', 'halt'] },
        released: { actions: 'halt' },
        stopRequested: 'stopped',
      },
    },

    stopped: { type: 'final' },
  },
});
