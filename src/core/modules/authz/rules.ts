import { RuleSet } from '../../sdk/module/rule-set.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

export interface AuthzRules {
  /** The level of an execution in a list at `level`, which stands after `before` executions of that list. */
  readonly levelOfExecution: (level: number, before: number) => number;
  /** The refusal of a grant for messages whose type is not known; `fault`: the reason. */
  readonly unknownType: (fault: SdkError) => SdkError;
}

export const authzRules = new RuleSet<AuthzRules>({
  levelOfExecution: (level) => level + 1,
  unknownType: (fault) => fault,
});
