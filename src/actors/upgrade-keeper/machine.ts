import { assertEvent, assign, fromPromise, setup } from 'xstate';
import { mayHalt, type UpgradePlan } from '../../core/modules/upgrade/plan.js';
import { completedIn } from '../../core/modules/upgrade/plan-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import type { Executed, Halted, ConsumerStream, ChainReverted } from '../../streams/index.js';
import { READY, type StopRequested } from '../shell/child.js';
import { heard, type Started } from '../shell/heard.js';

/**
 * `none`: no plan, never upgraded. `scheduled`: a plan is due after the next block. `due`: the next block applies the
 * plan or halts. `halted`: a decided block is not executed. `applied`: no plan, upgraded before.
 */
export type UpgradeMode = 'none' | 'scheduled' | 'due' | 'halted' | 'applied';

/** Tag of modes that end when a block reports no plan. */
const PLANNED = 'planned';

/** Upgrade facts from blocks, log and state. */
export interface UpgradeFacts {
  /** Height of the newest executed block. */
  readonly height: Height;
  /** Height of the scheduled plan as of that block. */
  readonly upgradeHeight: Height | undefined;
  /** True when the chain was upgraded before. */
  readonly wasUpgraded: boolean;
  /** Plan of the block at which the chain is halted. */
  readonly halt: UpgradePlan | undefined;
}

export interface UpgradeKeeperPorts {
  readonly stream: ConsumerStream<Executed | Halted | ChainReverted>;
  /** Reads the facts from log and state as of `position`. Rejects with a storage error. */
  readonly read: () => Promise<UpgradeFacts & { readonly position: Position }>;
  /** Writes `upgrade-info.json` for cosmovisor. Throws when the file cannot be written. */
  readonly writeUpgradeInfo: (plan: UpgradePlan) => void;
}

type KeeperEvent = Executed | Halted | ChainReverted | Started | StopRequested;

/**
 * Statechart of an upgrade plan, derived from the blocks. At every start, and after a revert, the facts are read from
 * log and state; the subscription begins at the position of the read, so no message is missed. `show` is called with
 * each mode.
 */
export function upgradeKeeperMachine({
  stream,
  read,
  writeUpgradeInfo,
  show,
}: UpgradeKeeperPorts & { readonly show: (mode: UpgradeMode, halt: UpgradePlan | undefined) => void }) {
  return setup({
    types: {
      context: {} as UpgradeFacts & { readonly position: Position },
      events: {} as KeeperEvent,
    },
    actors: { read: fromPromise(read), heard: heard<Executed | Halted | ChainReverted>() },
    guards: {
      isHalted: ({ context }) => context.halt !== undefined,
      isDue: ({ context }) => mayHalt(context.upgradeHeight, context.height + 1n),
      isScheduled: ({ context }) => context.upgradeHeight !== undefined,
      wasUpgraded: ({ context }) => context.wasUpgraded,
    },
    actions: {
      follow: assign(({ event }) => {
        assertEvent(event, 'executed');
        const { height, upgradeHeight } = event.data;
        return { height, upgradeHeight, halt: undefined };
      }),
      /** Only a block at which a plan is due can contain the marker of an applied plan. */
      lookForMarker: assign(({ context, event }) => {
        assertEvent(event, 'executed');
        const { height, writes } = event.data;
        return { wasUpgraded: context.wasUpgraded || completedIn(writes, height) !== undefined };
      }),
      halt: assign(({ event }) => {
        assertEvent(event, 'halted');
        return { halt: event.plan };
      }),
      writeUpgradeInfo: ({ context }) => {
        if (context.halt !== undefined) writeUpgradeInfo(context.halt);
      },
      show({ context }, { mode }: { readonly mode: UpgradeMode }) {
        show(mode, context.halt);
      },
      fail: ({ event }) => {
        throw 'error' in event ? event.error : new Error(`unexpected ${event.type}`);
      },
    },
  }).createMachine({
    context: {
      height: toHeight(0n),
      upgradeHeight: undefined,
      wasUpgraded: false,
      halt: undefined,
      position: toPosition(0n),
    },
    initial: 'reading',
    on: { stopRequested: '.stopped' },
    states: {
      reading: {
        invoke: {
          src: 'read',
          onDone: { target: 'following', actions: assign(({ event }) => event.output) },
          onError: { actions: 'fail' },
        },
      },
      following: {
        tags: [READY],
        invoke: {
          src: 'heard',
          input: ({ context, self }) => ({
            sources: [stream.from(context.position)],
            consumer: self,
            // Skips the common case: a block without plan while none is known.
            isNews: (message) =>
              message.type !== 'executed' ||
              message.data.upgradeHeight !== undefined ||
              self.getSnapshot().hasTag(PLANNED),
          }),
          onError: { actions: 'fail' },
        },
        on: { halted: { target: '.halted', actions: 'halt' }, reverted: 'reading' },
        initial: 'deciding',
        states: {
          deciding: {
            always: [
              { guard: 'isHalted', target: 'halted' },
              { guard: 'isDue', target: 'due' },
              { guard: 'isScheduled', target: 'scheduled' },
              { guard: 'wasUpgraded', target: 'applied' },
              { target: 'none' },
            ],
          },
          none: {
            entry: { type: 'show', params: { mode: 'none' } },
            on: { executed: { target: 'deciding', actions: 'follow' } },
          },
          scheduled: {
            tags: [PLANNED],
            entry: { type: 'show', params: { mode: 'scheduled' } },
            on: { executed: { target: 'deciding', actions: 'follow' } },
          },
          due: {
            tags: [PLANNED],
            entry: { type: 'show', params: { mode: 'due' } },
            on: { executed: { target: 'deciding', actions: ['follow', 'lookForMarker'] } },
          },
          halted: {
            tags: [PLANNED],
            entry: ['writeUpgradeInfo', { type: 'show', params: { mode: 'halted' } }],
            on: { executed: { target: 'deciding', actions: ['follow', 'lookForMarker'] } },
          },
          applied: {
            entry: { type: 'show', params: { mode: 'applied' } },
            on: { executed: { target: 'deciding', actions: 'follow' } },
          },
        },
      },
      stopped: { type: 'final' },
    },
  });
}
