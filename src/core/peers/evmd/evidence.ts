import { evidenceRules } from '../../modules/evidence/rules.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

export const evidence = evidenceRules.with({
  /** `evmd/app.go` sets no evidence router, so the call panics. */
  unhandled: () => new RecoveredPanic(NIL_POINTER),
});
