/** Registered errors of codespace `slashing` (cosmos-sdk v0.53 `x/slashing/types/errors.go`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const slashing = (code: number, text: string): RegisteredError => ({ codespace: 'slashing', code, text });

export const slashingErrors = {
  jailed: slashing(4, 'validator still jailed; cannot be unjailed'),
  notJailed: slashing(5, 'validator not jailed; cannot be unjailed'),
  selfDelegationTooLow: slashing(7, "validator's self delegation less than minimum; cannot be unjailed"),
} as const satisfies Record<string, RegisteredError>;
