import { govErrors } from '../../modules/gov/errors.js';
import { govRules } from '../../modules/gov/rules.js';
import { NIL_POINTER, RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';

export const gov = govRules.with({
  /** The content type is not registered (cosmos-sdk v0.53 `x/distribution/types/proposal.go`). */
  requireProposable: (route) => {
    if (route === 'distribution') throw new SdkError(govErrors.invalidType, 'CommunityPoolSpend');
  },
  /** `evmd/app.go` sets no legacy router: the proposal fails, and its sender pays gas. */
  requireExecutable: () => {
    throw new RecoveredPanic(NIL_POINTER);
  },
  /** The content is a nil pointer (cosmos-sdk v0.53). */
  absentContent: () => new RecoveredPanic(NIL_POINTER),
});
