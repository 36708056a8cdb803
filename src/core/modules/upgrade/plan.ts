import type { Height } from '../../primitives.js';

/** A change of the application that the chain agreed on. */
export interface UpgradePlan {
  readonly name: string;
  readonly height: Height;
  readonly info: string;
}

/**
 * True when the block at `next` may halt: the execution of the block before said that a plan is due at `upgradeHeight`.
 * A plan may name the height of the block that schedules it (cosmos-sdk v0.53 x/upgrade/keeper, ScheduleUpgrade): it is
 * due at the block after that one.
 */
export function mayHalt(upgradeHeight: Height | undefined, next: bigint): boolean {
  return upgradeHeight !== undefined && upgradeHeight <= next;
}

/**
 * Text of the halt for a plan that this build has no handler for, which supervisors of the process look for in its
 * output (cosmos-sdk v0.53 x/upgrade/keeper/abci.go, BuildUpgradeNeededMsg).
 */
export function upgradeNeeded({
  name,
  height,
  info,
}: Omit<UpgradePlan, 'height'> & { readonly height: bigint }): string {
  return `UPGRADE "${name}" NEEDED at height: ${height}: ${info}`;
}

/** Text of the halt for a plan whose block this build cannot execute; the state is that of the block before. */
export function upgradeFailed(
  { name, height }: Pick<UpgradePlan, 'name'> & { readonly height: bigint },
  reason: string,
) {
  return `UPGRADE "${name}" FAILED at height: ${height}: ${reason}`;
}
