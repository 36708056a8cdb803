import { createUpgradeKeeper, type UpgradeKeeper } from '../../actors/upgrade-keeper/index.js';
import type { UpgradePlan } from '../../core/modules/upgrade/plan.js';
import { lastCompleted } from '../../core/modules/upgrade/plan-store.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { lastHalt } from '../../runtime/chain/last-halt.js';
import { writeFileAtomic } from '../../runtime/home/write-file-atomic.js';
import type { Foundation } from './foundation.js';

/**
 * True if a plan is due: at its height, or one block later if a transaction in the block of that height scheduled it.
 */
function isNeeded({ height }: UpgradePlan, decided: bigint): boolean {
  return height === decided || height === decided - 1n;
}

/**
 * Content of upgrade-info.json, as the SDK writes it (cosmos-sdk v0.53 `x/upgrade/keeper`, DumpUpgradeInfoToDisk).
 */
function upgradeInfo({ name, height, info }: UpgradePlan): string {
  const time = '0001-01-01T00:00:00Z';
  return JSON.stringify({ name, time, height: Number(height), ...(info !== '' && { info }) });
}

/** Composes the upgrade keeper. Its actor starts after the last decided block of the log was tried. */
export function composeUpgradeKeeper({ limits, home, views }: Foundation): UpgradeKeeper {
  const { paths, store, log, failPoints } = home;
  const { streams, ledger } = views;
  return createUpgradeKeeper({
    stream: streams.of('upgradeKeeper'),
    async read() {
      const position = streams.shown();
      const { height } = ledger.state;
      const { upgradeHeight } = ledger;
      const completed = await readStateAt(store, 'latest', (state) => lastCompleted(state), limits);
      if (!completed.ok) throw new Error(`the upgrades of the chain cannot be read: ${completed.error.code}`);
      const halt = ledger.decidedHeight > height ? await lastHalt(log, ledger.decidedHeight) : undefined;
      return { height, upgradeHeight, wasUpgraded: completed.value !== undefined, halt, position };
    },
    writeUpgradeInfo: (plan) => {
      // A process with a version that does not fit the chain does not wait for an upgrade.
      if (!isNeeded(plan, ledger.decidedHeight)) return;
      failPoints.hit('upgrade-before-info');
      writeFileAtomic(paths.upgradeInfo, upgradeInfo(plan));
      failPoints.hit('upgrade-after-info');
    },
  });
}
