import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError, type RegisteredError } from '../../sdk/module/sdk-error.js';

const noHandler: RegisteredError = {
  codespace: 'evidence',
  code: 2,
  text: 'unregistered handler for evidence type',
};

export interface EvidenceRules {
  /** The refusal of evidence in a message, which nothing handles. */
  readonly unhandled: () => SdkError;
}

export const evidenceRules = new RuleSet<EvidenceRules>({
  unhandled: () => new SdkError(noHandler, 'equivocation'),
});
