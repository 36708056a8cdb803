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
  /** Blocks begin by another rule from now on; one in flight is finished. */
  | { readonly type: 'setMining'; readonly mining: Mining; readonly reply: Reply<undefined> };

type Message = Available | PreparationEnded | Executed | Halted | ChainReverted;
type RoundTimer = { readonly type: 'expired' } & ExpiredTimeout;
type ConsensusEvent = Started | Message | RoundTimer | ConsensusCommand | StopRequested;

export interface ConsensusInput {
  readonly production: Production;
  readonly ports: Pick<ConsensusPorts, 'available' | 'prepared' | 'hearing'>;
}

const isAt =
  (mode: ConsensusMode) =>
  ({ context }: { readonly context: ConsensusInput }): boolean =>
    context.production.mode === mode;

/** A round waits for its timers. Its signatures stay in the memory, so that the actor can stop at any moment. */
const ROUND = {
  tags: READY,
  on: { expired: { target: 'choice', actions: 'expire' }, stopRequested: 'stopped' },
} as const;

/** A block of validators that are all here is decided when its round begins; `commit` looks whether it is. */
const BEGIN = { target: '#consensus.commit', actions: 'startRound' } as const;
/** The block is executed before it is built where more waits than fits by gas limits. */
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
 * Block production. `newHeight` decides when a block begins; the rounds wait for timers, with the names of CometBFT's
 * steps (`RoundStep...` of CometBFT 0.38 `consensus/types/round_state.go`); `commit` waits until the decided block is
 * applied. All votes of one input are made in one turn, so that a block of validators that are all here takes no other
 * state than these two.
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
    quiet: ({ context }) => context.production.quiet(),
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
        ports.hearing.live,
        heardWhen(ports.available, () => production.takesFirstTransaction()),
        ports.prepared,
      ],
      hearer: self,
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

    /** The state of production after an input. */
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
          entry: 'quiet',
          always: [
            { guard: 'hasRequestedBlock', target: 'due' },
            { guard: 'isLeased', target: 'leased' },
            { guard: 'hasIncludable', target: 'gathering' },
            { guard: 'hasPause', target: 'pausing' },
            { target: 'idle' },
          ],
        },
        /** No block begins but those that the holder of the lease asks for. */
        leased: {},
        /** A block begins on a later turn. */
        due: { after: { 0: BEGIN_FILLED } },
        /** Transactions came during the last block, or right after it; more may come. */
        gathering: { after: { gathering: BEGIN_FILLED } },
        pausing: { after: { pause: BEGIN_FILLED }, on: WHEN_AVAILABLE },
        idle: { on: WHEN_AVAILABLE },
        /** The transactions of the block are executed. Only the grant of a lease gives that up. */
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

    /** A block is decided, and applied by others. */
    commit: {
      tags: READY,
      always: { guard: 'isUndecided', target: 'choice' },
      on: {
        executed: { guard: 'isApplied', target: 'newHeight', actions: 'nextHeight' },
        halted: 'halted',
        stopRequested: 'closing',
      },
    },
    /** The actor stops when the block is applied. */
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
