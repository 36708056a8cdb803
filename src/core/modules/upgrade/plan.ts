import type { Height } from '../../primitives.js';

/** A scheduled upgrade of the application. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: Height;
  readonly info: string;
}

/**
 * True when the block at `next` may halt: the previous block's execution reported a plan at `upgradeHeight`. A plan
 * may have the height of the block that schedules it (cosmos-sdk v0.53 x/upgrade/keeper, ScheduleUpgrade); it is then
 * due in the next block.
 */
export function mayHalt(upgradeHeight: Height | undefined, next: bigint): boolean {
  return upgradeHeight !== undefined && upgradeHeight <= next;
}

/**
 * Text of the halt for a plan without handler, which process supervisors search for in the output (cosmos-sdk v0.53
 * x/upgrade/keeper/abci.go, BuildUpgradeNeededMsg).
 */
export function upgradeNeeded({
  name,
  height,
  info,
}: Omit<UpgradePlan, 'height'> & { readonly height: bigint }): string {
  return `UPGRADE "${name}" NEEDED at height: ${height}: ${info}`;
}

/** Text of the halt for a plan whose block this build cannot execute; the state is the previous block's. */
export function upgradeFailed(
  { name, height }: Pick<UpgradePlan, 'name'> & { readonly height: bigint },
  reason: string,
) {
  return `UPGRADE "${name}" FAILED at height: ${height}: ${reason}`;
}
