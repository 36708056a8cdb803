import { authzRules } from '../../modules/authz/rules.js';
import { RecoveredPanic } from '../../sdk/module/sdk-error.js';

export const authz = authzRules.with({
  /** Nesting levels of executions in one list add up (cosmos/evm v0.6 `ante/cosmos/authz.go`). */
  levelOfExecution: (level, before) => level + before + 1,
  /** A stake authorization of an unknown type panics (cosmos-sdk v0.53 `x/staking/types/authz.go` MsgTypeURL). */
  unknownType: ({ message }) => new RecoveredPanic(message),
});
