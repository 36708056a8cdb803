import type { UpgradePlan } from '../../core/modules/upgrade/plan.js';
import type { Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';

/** The upgrade plan for which the chain halted at block `decided`; undefined when it did not. */
export async function lastHalt(
  log: Pick<EventLog, 'read' | 'recordOf'>,
  decided: Height,
): Promise<UpgradePlan | undefined> {
  const block = log.recordOf(decided);
  let plan: UpgradePlan | undefined;
  if (block === undefined) return plan;
  for await (const events of log.read({ from: block.decided.position }))
    for (const { event } of events) if (event.type === 'UpgradeHalted') plan = event.data;
  return plan;
}
