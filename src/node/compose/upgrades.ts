import { createUpgradeKeeper, type UpgradeKeeper } from '../../actors/upgrade-keeper/index.js';
import { lastCompleted } from '../../core/modules/upgrade/plan-store.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { lastHalt } from '../chain/last-halt.js';
import { writeFileWhole } from '../home/write-file.js';
import type { Foundation } from './foundation.js';

/**
 * The upgrade keeper over the node's log and state. Its child begins when the decision that the log ends with was
 * tried.
 */
export function composeUpgradeKeeper({ limits, home, views }: Foundation): UpgradeKeeper {
  const { paths, store, log } = home;
  const { streams, ledger } = views;
  return createUpgradeKeeper({
    hearing: streams.hearing('upgradeKeeper'),
    async read() {
      const position = streams.shown();
      const { height } = ledger.state;
      const { upgradeHeight } = ledger;
      const completed = await readStateAt(store, 'latest', (state) => lastCompleted(state), limits);
      if (!completed.ok) throw new Error(`the upgrades of the chain cannot be read: ${completed.error.code}`);
      const halt = ledger.decidedHeight > height ? await lastHalt(log, ledger.decidedHeight) : undefined;
      return { height, upgradeHeight, wasUpgraded: completed.value !== undefined, halt, position };
    },
    writeUpgradeInfo: ({ name, height, info }) =>
      writeFileWhole(paths.upgradeInfo, JSON.stringify({ name, height: Number(height), info })),
  });
}
