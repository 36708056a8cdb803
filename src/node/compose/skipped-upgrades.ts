import { planAfter } from '../../core/modules/upgrade/plan-store.js';
import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import type { Height } from '../../core/primitives.js';
import type { Plan } from '../../core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';

/**
 * Logs each upgrade that is skipped at its height, with the text of the SDK (cosmos-sdk v0.53 `x/upgrade/abci.go`
 * PreBlocker). `plan`: the plan that is scheduled for the next block.
 */
export function skippedUpgrades(
  plan: Plan | undefined,
  skipHeights: readonly Height[],
  tell: (line: string) => void,
): (block: { readonly state: Pick<ExecutionOutput['state'], 'height'> } & Pick<ExecutionOutput, 'writes'>) => void {
  let scheduled = plan;
  return ({ state: { height }, writes }) => {
    if (scheduled?.height === height && skipHeights.includes(height))
      tell(`UPGRADE "${scheduled.name}" SKIPPED at ${height}: ${scheduled.info}`);
    scheduled = planAfter(scheduled, writes);
  };
}
