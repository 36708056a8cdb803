/**
 * Reverts compared with a chain that never had the abandoned blocks: after the same commands both databases hold the
 * same rows, byte for byte, except for the log itself and for rows with positions in it. Also crashes at any write of
 * such a life.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyValue, KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { blockEvents } from '../../../src/runtime/chain/indexer.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { indexedThrough, IndexWindow } from '../../../src/store/index-rows/index-rows.js';
import { PREFIX } from '../../../src/store/keys.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { propertyRuns } from '../../support/property-runs.js';
import { admit, devOf, head, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

type Step =
  | { readonly kind: 'send'; readonly amount: bigint }
  /** Admitted and left waiting. */
  | { readonly kind: 'wait'; readonly amount: bigint }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'balance'; readonly account: number; readonly amount: bigint }
  | { readonly kind: 'account'; readonly account: number; readonly nonce: bigint; readonly value: number }
  | { readonly kind: 'time'; readonly seconds: bigint };

const amount = fc.bigInt({ min: 0n, max: 1_000n });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), amount: amount.map((some) => some + 1n) }),
  fc.record({ kind: fc.constant('wait' as const), amount: amount.map((some) => some + 1n) }),
  fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('balance' as const), account: fc.integer({ min: 1, max: 3 }), amount }),
  fc.record({
    kind: fc.constant('account' as const),
    account: fc.integer({ min: 1, max: 3 }),
    nonce: amount,
    value: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({ kind: fc.constant('time' as const), seconds: fc.bigInt({ min: 0n, max: 100n }) }),
);
const steps = fc.array(step, { maxLength: 6 });

/** Prefixes whose rows name positions of the log, or are the log. */
const POSITIONS: ReadonlySet<number> = new Set([
  PREFIX.head,
  PREFIX.record,
  PREFIX.height,
  PREFIX.verified,
  PREFIX.durable,
  PREFIX.checkpoint,
  PREFIX.dev,
]);

/** `sequence` counts the transactions of dev account 0 on the current branch. */
async function run(simulated: SimulatedNode, all: readonly Step[], sequence: bigint): Promise<bigint> {
  const dev = devOf(simulated);
  let next = sequence;
  for (const one of all) {
    if (one.kind === 'send' || one.kind === 'wait') {
      expect(await admit(simulated, send(0, 1, one.amount, next))).toBe(0);
      next += 1n;
    }
    if (one.kind === 'send') await value(dev.mine(1, undefined));
    if (one.kind === 'mine') await value(dev.mine(one.blocks, undefined));
    if (one.kind === 'balance') await value(dev.setBalance([new Uint8Array(20).fill(one.account)], one.amount));
    if (one.kind === 'account') {
      const [code, slot, written] = [
        Uint8Array.of(0x60, one.value),
        new Uint8Array(32),
        new Uint8Array(32).fill(one.value),
      ];
      await value(
        dev.setAccount(new Uint8Array(20).fill(one.account), {
          nonce: one.nonce,
          code,
          slots: [{ slot, value: written }],
        }),
      );
    }
    if (one.kind === 'time') await value(dev.increaseTime(one.seconds));
  }
  return next;
}

/** Rows of a stopped node, its attribute index brought to the head. */
async function rowsOf(store: KeyValueStore): Promise<readonly string[]> {
  const log = await openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
  const window = new IndexWindow(toHeight(1n));
  window.enter(toHeight((indexedThrough(store) ?? 0n) + 1n), (height) => blockEvents(log, height));
  for (let height = (indexedThrough(store) ?? 0n) + 1n; height <= log.head().executed; height += 1n) {
    const events = blockEvents(log, toHeight(height));
    if (events !== undefined) await store.commit(window.add(events), { sync: false });
  }
  const rows: readonly KeyValue[] = await store.range({
    start: Uint8Array.of(0),
    end: Uint8Array.of(0xff),
    limit: 1_000_000,
  });
  return rows
    .filter(({ key }) => !POSITIONS.has(key[0] ?? 0))
    .map(({ key, value: bytes }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(bytes).toString('hex')}`);
}

describe('a reverted chain', () => {
  it('equals, row by row, the chain that never had the abandoned blocks', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, fc.boolean(), async (before, abandoned, after, restarted) => {
        const life = async (branch: readonly Step[]): Promise<readonly string[]> => {
          const store = reopenable();
          let simulated = await simulate({ store });
          await value(devOf(simulated).mine(1, undefined));
          const sent = await run(simulated, [...before, { kind: 'mine', blocks: 1 }], 0n);
          await value(devOf(simulated).snapshot());
          await run(simulated, branch, sent);
          if (restarted) {
            await simulated.node.stop();
            simulated = await simulate({ store });
          }
          expect(await value(devOf(simulated).revert(1n))).toBe(true);
          await run(simulated, [...after, { kind: 'mine', blocks: 1 }], sent);
          await simulated.node.stop();
          return rowsOf(store);
        };
        expect(await life(abandoned)).toEqual(await life([]));
      }),
      { numRuns: propertyRuns(12) },
    );
  });

  it('is on the old or the new branch after a crash at any write, as its answers said', async () => {
    let crashes = 0;
    let reverts = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const store = new FaultyStore({ seed, commitFails: 0.06 });
      let sent = 0n;
      let reached: { readonly height: bigint; readonly hash: string } | undefined;
      let answered: 'old' | 'new' | 'unknown' = 'old';
      let simulated: SimulatedNode | undefined;
      try {
        simulated = await simulate({ store });
        const dev = devOf(simulated);
        await value(dev.mine(2, undefined));
        sent = await run(
          simulated,
          [
            { kind: 'send', amount: 3n },
            { kind: 'balance', account: 1, amount: 9n },
          ],
          0n,
        );
        await value(dev.snapshot());
        await run(
          simulated,
          [
            { kind: 'send', amount: 4n },
            { kind: 'balance', account: 1, amount: 2n },
            { kind: 'mine', blocks: 2 },
            { kind: 'wait', amount: 1n },
          ],
          sent,
        );
        reached = { height: head(simulated).height, hash: Buffer.from(head(simulated).blockHash).toString('hex') };
        answered = 'unknown';
        await value(dev.revert(1n));
        answered = 'new';
        reverts += 1;
        await run(simulated, [{ kind: 'mine', blocks: 1 }], sent);
      } catch {
        crashes += 1;
      }
      await simulated?.node.stop();
      const image = await store.crashImage();
      const again = await simulate({ store: reopenable(image) }).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
      const { height, blockHash } = head(again);
      const isOld = reached !== undefined && height >= reached.height;
      if (answered === 'old' && reached !== undefined) expect(isOld, `seed ${seed}`).toBe(true);
      if (answered === 'new') expect(height, `seed ${seed}`).toBeLessThanOrEqual(5n);
      if (answered === 'new') expect(await value(devOf(again).revert(1n)), `seed ${seed}: used up`).toBe(false);
      if (isOld && height === reached?.height)
        expect(Buffer.from(blockHash).toString('hex'), `seed ${seed}`).toBe(reached.hash);
      await value(devOf(again).mine(2, undefined));
      await again.node.stop();
      const log = await openEventLog({ store: image, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
      expect((await log.verifyAll()).problems, `seed ${seed}`).toEqual([]);
    }
    expect(crashes).toBeGreaterThan(10);
    expect(reverts).toBeGreaterThan(3);
  });
});
