import { RuleSet } from '../../sdk/module/rule-set.js';
import type { SdkError } from '../../sdk/module/sdk-error.js';

export interface AuthzRules {
  /** Nesting level of an execution inside a list at `level`, after `before` other executions of that list. */
  readonly levelOfExecution: (level: number, before: number) => number;
  /** Error for a grant whose message type is unknown; `fault` is the cause. */
  readonly unknownType: (fault: SdkError) => SdkError;
}

export const authzRules = new RuleSet<AuthzRules>({
  levelOfExecution: (level) => level + 1,
  unknownType: (fault) => fault,
});
