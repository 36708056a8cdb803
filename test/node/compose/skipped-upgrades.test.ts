/** The log line of an upgrade plan whose height the operator skips. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { setPlan } from '../../../src/core/modules/upgrade/plan-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import { PlanSchema } from '../../../src/core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { skippedUpgrades } from '../../../src/node/compose/skipped-upgrades.js';

const plan = (name: string, height: bigint) => create(PlanSchema, { name, height, info: 'notes' });

/** Writes that schedule a plan. */
function scheduling(name: string, height: bigint) {
  const store = new CacheStore(EMPTY_STATE);
  setPlan(store, plan(name, height));
  return store.writes();
}

test('a skipped upgrade is logged once, for a plan known at the start and for one scheduled later', () => {
  const told: string[] = [];
  const executed = skippedUpgrades(plan('first', 5n), [toHeight(5n), toHeight(9n)], (line) => void told.push(line));
  const block = (height: bigint, writes: ReturnType<typeof scheduling> = []): void =>
    executed({ state: { height: toHeight(height) }, writes });
  block(4n);
  block(5n);
  block(6n, scheduling('second', 9n));
  block(7n, scheduling('third', 9n));
  block(9n);
  block(10n, scheduling('fourth', 11n));
  block(11n);
  expect(told).toEqual(['UPGRADE "first" SKIPPED at 5: notes', 'UPGRADE "third" SKIPPED at 9: notes']);
});
