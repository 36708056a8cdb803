import type { FinalizeBlockResult } from '../../core/application-requests.js';
import { mayHalt, upgradeFailed } from '../../core/modules/upgrade/plan.js';
import { getPlan } from '../../core/modules/upgrade/plan-store.js';
import type { Limits } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { readStateAt } from '../../store/state/query-reader.js';

export interface FailedUpgradeOptions {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly limits: Pick<Limits, 'rangeRows' | 'searchRows'>;
  /** Height of the scheduled upgrade plan as of the last executed block. */
  readonly upgradeHeight: Height | undefined;
  readonly skipped: readonly bigint[];
}

/**
 * The halt result of an upgrade block that crashed every executor thread, for example because the migration ran out of
 * memory. Undefined when the block is not an upgrade block.
 */
export async function haltOfFailedUpgrade(
  { store, limits, upgradeHeight, skipped }: FailedUpgradeOptions,
  height: Height,
  reason: string,
): Promise<FinalizeBlockResult | undefined> {
  if (!mayHalt(upgradeHeight, height) || skipped.includes(height)) return undefined;
  const read = await readStateAt(store, 'latest', getPlan, limits);
  const found = read.ok ? read.value : undefined;
  if (found === undefined) return undefined;
  const plan = { name: found.name, height: toHeight(found.height), info: found.info };
  return { kind: 'halted', plan, reason: upgradeFailed(plan, reason) };
}
