import type { RegisteredError } from '../../sdk/module/sdk-error.js';

/** Errors of crisis (cosmos-sdk v0.53 `x/crisis/types/errors.go`). */
export const crisisErrors = {
  unknownInvariant: { codespace: 'crisis', code: 3, text: 'unknown invariant' },
} as const satisfies Record<string, RegisteredError>;
