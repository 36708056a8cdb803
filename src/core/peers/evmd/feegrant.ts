import { feegrantRules } from '../../modules/feegrant/rules.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

/** Fee grants of cosmossdk.io/x/feegrant v0.2.0. */
export const feegrant = feegrantRules.with({
  /** `keeper/keeper.go` swaps the two accounts, so that the queue entry of a revoked allowance stays. */
  unqueued: ({ granter, grantee }) => ({ granter: grantee, grantee: granter }),
  /** `GetFeeAllowanceI` in `msgs.go` dereferences a nil pointer. */
  absentAllowance: () => new RecoveredPanic(NIL_POINTER),
});
