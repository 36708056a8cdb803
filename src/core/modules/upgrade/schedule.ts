import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
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

const refuse = (text: string): never => {
  throw new SdkError(sdkErrors.invalidRequest, text);
};

/**
 * Refuses a plan that is wrong by itself: SDK error 18 (cosmossdk.io/x/upgrade v0.2.0 `types/plan.go`
 * ValidateBasic).
 */
export function requirePlan(plan: Plan): void {
  if (!isZeroTime(plan)) refuse('time-based upgrades have been deprecated in the SDK');
  if (plan.upgradedClientState !== undefined) refuse('upgrade logic for IBC has been moved to the IBC module');
  if (plan.name === '') refuse('name cannot be empty');
  if (plan.height <= 0n) refuse('height must be greater than 0');
}

/**
 * Validates and stores a plan, replacing a pending one (cosmos-sdk v0.53 `ScheduleUpgrade` in
 * `x/upgrade/keeper/keeper.go`; every failure is SDK error 18).
 */
export function scheduleUpgrade(context: Context, plan: Plan): void {
  requirePlan(plan);
  if (plan.height < context.height) refuse('upgrade cannot be scheduled in the past');
  if (completedHeight(context.store, plan.name) !== 0n)
    refuse(`upgrade with name ${plan.name} has already been completed`);
  const replaced = getPlan(context.store);
  if (replaced !== undefined) clearIbcState(context.store, replaced.height);
  setPlan(context.store, plan);
}

export const messages = [
  message(Msg, 'softwareUpgrade', (context, { authority, plan }) => {
    requireUpgradeAuthority(context, authority);
    if (plan === undefined) throw new SdkError(sdkErrors.invalidRequest, 'name cannot be empty');
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
