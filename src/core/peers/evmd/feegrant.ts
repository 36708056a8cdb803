import { feegrantRules } from '../../modules/feegrant/rules.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

/** Grants of fees of cosmossdk.io/x/feegrant v0.2.0. */
export const feegrant = feegrantRules.with({
  /** `keeper/keeper.go` mixes up the two accounts, so that the entry of a revoked allowance stays. */
  unqueued: ({ granter, grantee }) => ({ granter: grantee, grantee: granter }),
  /** `GetFeeAllowanceI` in `msgs.go` reads the cached value of a nil pointer. */
  absentAllowance: () => new RecoveredPanic(NIL_POINTER),
});
