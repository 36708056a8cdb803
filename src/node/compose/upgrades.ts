import { createUpgradeKeeper, type UpgradeKeeper } from '../../actors/upgrade-keeper/index.js';
import { lastCompleted } from '../../core/modules/upgrade/plan-store.js';
import type { UpgradePlan } from '../../core/modules/upgrade/plan.js';
import type { EventLog } from '../../store/event-log.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Ledger } from '../chain/ledger.js';
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

/** The plan that the block at `decided` halted for; undefined when the log does not say so. */
async function lastHalt(log: EventLog, decided: Ledger['decidedHeight']): Promise<UpgradePlan | undefined> {
  const block = log.recordOf(decided);
  let plan: UpgradePlan | undefined;
  if (block === undefined) return plan;
  for await (const events of log.read({ from: block.decided.position }))
    for (const { event } of events) if (event.type === 'UpgradeHalted') plan = event.data;
  return plan;
}
