import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createUpgradeKeeper, type UpgradeMode } from '../../../src/actors/upgrade-keeper/index.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { concat, utf8 } from '../../../src/core/bytes/bytes.js';
import type { BlockExecuted } from '../../../src/core/log-events.js';
import { mayHalt, type UpgradePlan } from '../../../src/core/modules/upgrade/plan.js';
import { toHeight } from '../../../src/core/primitives.js';
import {
  executed,
  halts,
  reverts,
  type Executed,
  type Halted,
  type ChainReverted,
} from '../../../src/streams/index.js';
import { propertyRuns } from '../../support/property-runs.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { HeardLog } from '../heard-log.js';
import { supervised } from '../supervised.js';

interface ModelBlock {
  readonly upgradeHeight: bigint | undefined;
  readonly applied: boolean;
}

/** A chain whose plans are plain data, and the keeper that follows it. */
class UpgradingChain {
  readonly log = new HeardLog();
  readonly time = new VirtualTime();
  blocks: readonly ModelBlock[] = [];
  halt: UpgradePlan | undefined;
  readonly written: UpgradePlan[] = [];
  /** Number of writes of the file that fail from now on. */
  failing = 0;
  readonly keeper = createUpgradeKeeper({
    stream: this.log.of<Executed | Halted | ChainReverted>([executed, halts, reverts]),
    read: async () => {
      await Promise.resolve();
      return {
        height: toHeight(BigInt(this.blocks.length)),
        upgradeHeight: heightOrNothing(this.blocks.at(-1)?.upgradeHeight),
        wasUpgraded: this.blocks.some(({ applied }) => applied),
        halt: this.halt,
        position: this.log.shown(),
      };
    },
    writeUpgradeInfo: (plan) => {
      if (this.failing > 0) {
        this.failing -= 1;
        throw new Error('EIO');
      }
      this.written.push(plan);
    },
  });

  get next(): bigint {
    return BigInt(this.blocks.length) + 1n;
  }

  /** The mode derived from the blocks alone. */
  expected(): UpgradeMode {
    if (this.halt !== undefined) return 'halted';
    const upgradeHeight = this.blocks.at(-1)?.upgradeHeight;
    if (upgradeHeight !== undefined) return upgradeHeight <= this.next ? 'due' : 'scheduled';
    return this.blocks.some(({ applied }) => applied) ? 'applied' : 'none';
  }

  /** Executes the next block. A plan that is due there is applied, or dropped if `skips` says so. */
  execute(plan: { readonly ahead: bigint } | 'cancel' | undefined, skips: boolean): void {
    const height = this.next;
    const before = this.blocks.at(-1)?.upgradeHeight;
    const due = before !== undefined && before <= height;
    const kept = due || plan === 'cancel' ? undefined : before;
    const upgradeHeight = typeof plan === 'object' ? height + plan.ahead : kept;
    const applied = due && !skips;
    this.blocks = [...this.blocks, { upgradeHeight, applied }];
    this.halt = undefined;
    this.log.append(blockExecuted(height, upgradeHeight, applied));
  }

  stand(): void {
    if (this.halt !== undefined) return;
    this.halt = { name: `v${this.next}`, height: toHeight(this.next), info: 'see notes' };
    this.log.append({ type: 'UpgradeHalted', v: 1, data: this.halt });
  }

  goBack(blocks: number): void {
    if (this.halt !== undefined) return;
    this.blocks = this.blocks.slice(0, Math.max(0, this.blocks.length - blocks));
    const toHeightBack = toHeight(BigInt(this.blocks.length));
    this.log.append({ type: 'Reverted', v: 1, data: { toHeight: toHeightBack, snapshot: 1n } });
  }
}

function heightOrNothing(height: bigint | undefined) {
  return height === undefined ? undefined : toHeight(height);
}

function blockExecuted(height: bigint, upgradeHeight: bigint | undefined, applied: boolean): BlockExecuted {
  const marker = { store: 'upgrade', key: concat(Uint8Array.of(1), be64(height), utf8('v2')), value: Uint8Array.of(1) };
  const data = {
    height: toHeight(height),
    results: new Uint8Array(),
    writes: applied ? [marker] : [],
    upgradeHeight: heightOrNothing(upgradeHeight),
  };
  return { type: 'BlockExecuted', v: 1, data };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('execute' as const),
      plan: fc.option(fc.oneof(fc.constant('cancel' as const), fc.record({ ahead: fc.bigInt(0n, 3n) })), {
        nil: undefined,
        freq: 2,
      }),
      skips: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'halt' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('goBack' as const), blocks: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'restart' as const }, { do: 'stopAndStart' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'failToWrite' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'settle' as const }) },
);

describe('upgrade keeper', () => {
  test('follows the plan of the blocks over stops, restarts, failures and reverts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const chain = new UpgradingChain();
        const { supervisor } = await supervised(chain.keeper.child, chain.time);
        const started: Promise<void>[] = [];
        for (const action of steps) {
          if (action.do === 'execute') chain.execute(action.plan, action.skips);
          if (action.do === 'halt') chain.stand();
          if (action.do === 'goBack') chain.goBack(action.blocks);
          if (action.do === 'failToWrite') chain.failing = 1;
          if (action.do === 'restart') started.push(supervisor.restart('upgradeKeeper'));
          if (action.do === 'stopAndStart') {
            await supervisor.stop('upgradeKeeper');
            started.push(supervisor.start(chain.keeper.child));
          }
          if (action.do !== 'settle') continue;
          await chain.time.settle();
          const { view } = chain.keeper;
          expect([view.mode(), view.halt()]).toEqual([chain.expected(), chain.halt]);
          if (chain.halt !== undefined) expect(chain.written.at(-1)).toEqual(chain.halt);
        }
        await Promise.all(started);
        await supervisor.stop('upgradeKeeper');
        chain.execute(undefined, false);
        expect(chain.log.isHeard, 'an actor that ended, or failed, does not listen').toBe(false);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('answers the halt during its own restart', async () => {
    const chain = new UpgradingChain();
    const { supervisor } = await supervised(chain.keeper.child, chain.time);
    chain.stand();
    const restarted = supervisor.restart('upgradeKeeper');
    expect(chain.keeper.view.halt()).toEqual(chain.halt);
    await restarted;
    expect([chain.keeper.view.mode(), chain.keeper.view.halt()]).toEqual(['halted', chain.halt]);
  });

  test('retries the write of upgrade-info.json, and ends the node when it cannot write it', async () => {
    const chain = new UpgradingChain();
    const { failures } = await supervised(chain.keeper.child, chain.time, chain.time, () => chain.failing === 0);
    chain.failing = 2;
    chain.stand();
    await chain.time.settle();
    expect([failures.length, chain.written]).toEqual([2, []]);
  });

  test('fails when the log and the state cannot be read', async () => {
    const { child } = createUpgradeKeeper({
      stream: new HeardLog().of<Executed | Halted | ChainReverted>([executed, halts, reverts]),
      read: () => Promise.reject(new Error('corrupt')),
      writeUpgradeInfo: () => undefined,
    });
    const time = new VirtualTime();
    await expect(supervised(child, time, time, () => true)).rejects.toThrow('corrupt');
  });
});

test('a plan of the next height, or of the height that schedules it, may halt the next block; a later plan may not', () => {
  expect([undefined, 3n, 4n, 5n].map((height) => mayHalt(heightOrNothing(height), 4n))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
