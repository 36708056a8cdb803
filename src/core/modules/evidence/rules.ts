import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError, type RegisteredError } from '../../sdk/module/sdk-error.js';

const noHandler: RegisteredError = {
  codespace: 'evidence',
  code: 2,
  text: 'unregistered handler for evidence type',
};

export interface EvidenceRules {
  /** Error for submitted evidence, which has no handler. */
  readonly unhandled: () => SdkError;
}

export const evidenceRules = new RuleSet<EvidenceRules>({
  unhandled: () => new SdkError(noHandler, 'equivocation'),
});
