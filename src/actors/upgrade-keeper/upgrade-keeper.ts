import { assign, createActor, setup } from 'xstate';
import type { Height } from '../../core/primitives.js';

export interface UpgradePlan {
  readonly name: string;
  readonly height: Height;
  readonly info: string;
}

export type UpgradeMode = 'none' | 'scheduled' | 'due' | 'halted' | 'applied';

export interface UpgradeKeeper {
  mode(): UpgradeMode;
  /** The halt, while the node stands still for a plan that this build cannot apply. */
  halt(): UpgradePlan | undefined;
  /** A block was committed; tells what the application's store says of the next plan. */
  committed(block: {
    readonly height: Height;
    readonly upgradeHeight: Height | undefined;
    readonly applied: string | undefined;
  }): void;
  /** The application refused to execute a decided block. */
  halted(plan: UpgradePlan): void;
  /** True when executing `height` may halt: its decision is then logged alone and first (design section 3). */
  isDue(height: Height): boolean;
  stop(): void;
}

export interface UpgradeKeeperOptions {
  /** Writes `upgrade-info.json`, which cosmovisor watches (application-modules.md 2.7). */
  readonly writeUpgradeInfo: (plan: UpgradePlan) => void;
}

type KeeperEvent =
  | {
      readonly type: 'committed';
      readonly upgradeHeight: Height | undefined;
      readonly applied: string | undefined;
      readonly height: Height;
    }
  | { readonly type: 'halted'; readonly plan: UpgradePlan };

interface KeeperContext {
  readonly upgradeHeight: Height | undefined;
  readonly halt: UpgradePlan | undefined;
}

const machine = setup({
  types: { context: {} as KeeperContext, events: {} as KeeperEvent },
  guards: {
    applied: ({ event }) => event.type === 'committed' && event.applied !== undefined,
    due: ({ event }) => event.type === 'committed' && event.upgradeHeight === event.height + 1n,
    scheduled: ({ event }) => event.type === 'committed' && event.upgradeHeight !== undefined,
  },
  actions: {
    remember: assign(({ context, event }) =>
      event.type === 'committed'
        ? { upgradeHeight: event.upgradeHeight, halt: undefined }
        : { ...context, halt: event.plan },
    ),
  },
}).createMachine({
  context: { upgradeHeight: undefined, halt: undefined },
  initial: 'none',
  on: {
    halted: { target: '.halted', actions: 'remember' },
    committed: [
      { guard: 'applied', target: '.applied', actions: 'remember' },
      { guard: 'due', target: '.due', actions: 'remember' },
      { guard: 'scheduled', target: '.scheduled', actions: 'remember' },
      { target: '.none', actions: 'remember' },
    ],
  },
  states: { none: {}, scheduled: {}, due: {}, halted: {}, applied: {} },
});

/**
 * Follows the plan lifecycle from committed blocks (application-modules.md 2). The plan itself belongs to the
 * application's store; the keeper owns only host facts: the halt and `upgrade-info.json`.
 */
export function createUpgradeKeeper(options: UpgradeKeeperOptions): UpgradeKeeper {
  const actor = createActor(machine);
  actor.start();
  return {
    mode: () => actor.getSnapshot().value,
    halt: () => actor.getSnapshot().context.halt,
    committed(block) {
      // Most blocks know of no plan, and neither does the keeper.
      if (block.upgradeHeight === undefined && block.applied === undefined && actor.getSnapshot().value === 'none')
        return;
      actor.send({ type: 'committed', ...block });
    },
    halted(plan) {
      options.writeUpgradeInfo(plan);
      actor.send({ type: 'halted', plan });
    },
    isDue: (height) => actor.getSnapshot().context.upgradeHeight === height,
    stop: () => void actor.stop(),
  };
}
