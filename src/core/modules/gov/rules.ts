import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { govErrors } from './errors.js';

/** Rules of proposals of the first generation, whose content stands in place of messages. */
export interface GovRules {
  /** Throws SdkError for a content whose type proposals may not have; `route`: the SDK's name of its handler. */
  readonly requireProposable: (route: string) => void;
  /** Throws SdkError where contents are not executed. */
  readonly requireExecutable: () => void;
  /** The refusal of a proposal without a content. */
  readonly absentContent: () => SdkError;
}

export const govRules = new RuleSet<GovRules>({
  requireProposable: () => {},
  requireExecutable: () => {},
  absentContent: () => new SdkError(govErrors.invalidContent, 'missing content'),
});
