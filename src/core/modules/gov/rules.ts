import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { govErrors } from './errors.js';

/** Rules of legacy proposals, which have a content instead of messages. */
export interface GovRules {
  /** Throws SdkError for a content type that cannot be proposed; `route` is the SDK's name of its handler. */
  readonly requireProposable: (route: string) => void;
  /** Throws SdkError when contents cannot be executed. */
  readonly requireExecutable: () => void;
  /** Error for a proposal without content. */
  readonly absentContent: () => SdkError;
}

export const govRules = new RuleSet<GovRules>({
  requireProposable: () => {},
  requireExecutable: () => {},
  absentContent: () => new SdkError(govErrors.invalidContent, 'missing content'),
});
