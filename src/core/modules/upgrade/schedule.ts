import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { invalidRequest, SdkError } from '../../sdk/module/sdk-error.js';
import { Msg } from '../../proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { Plan } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { requireAuthority } from '../authority.js';
import { clearIbcState, clearPlan, completedHeight, getPlan, isZeroTime, setPlan } from './plan-store.js';
import { upgradeRules } from './rules.js';

const invalidSigner = {
  codespace: 'upgrade',
  code: 6,
  text: 'expected authority account as only signer for proposal message',
} as const;

function requireUpgradeAuthority(context: Context, authority: string): void {
  requireAuthority(
    context,
    authority,
    (expected, got) => new SdkError(invalidSigner, `expected ${expected} got ${got}`),
    upgradeRules.of(context).namedAuthority(context),
  );
}

/** Stateless validation of a plan: SDK error 18 (cosmossdk.io/x/upgrade v0.2.0 `types/plan.go` ValidateBasic). */
export function requirePlan(plan: Plan): void {
  if (!isZeroTime(plan)) throw invalidRequest('time-based upgrades have been deprecated in the SDK');
  if (plan.upgradedClientState !== undefined)
    throw invalidRequest('upgrade logic for IBC has been moved to the IBC module');
  if (plan.name === '') throw invalidRequest('name cannot be empty');
  if (plan.height <= 0n) throw invalidRequest('height must be greater than 0');
}

/**
 * Validates and stores a plan, replacing a scheduled one (cosmos-sdk v0.53 `ScheduleUpgrade` in
 * `x/upgrade/keeper/keeper.go`; all failures are SDK error 18).
 */
export function scheduleUpgrade(context: Context, plan: Plan): void {
  requirePlan(plan);
  if (plan.height < context.height) throw invalidRequest('upgrade cannot be scheduled in the past');
  if (completedHeight(context.store, plan.name) !== 0n)
    throw invalidRequest(`upgrade with name ${plan.name} has already been completed`);
  const replaced = getPlan(context.store);
  if (replaced !== undefined) clearIbcState(context.store, replaced.height);
  setPlan(context.store, plan);
}

export const messages = [
  message(Msg, 'softwareUpgrade', (context, { authority, plan }) => {
    requireUpgradeAuthority(context, authority);
    if (plan === undefined) throw invalidRequest('name cannot be empty');
    scheduleUpgrade(context, plan);
  }),
  message(Msg, 'cancelUpgrade', (context, { authority }) => {
    requireUpgradeAuthority(context, authority);
    const plan = getPlan(context.store);
    if (plan !== undefined) {
      clearIbcState(context.store, plan.height);
      clearPlan(context.store);
    }
  }),
];
