import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const params = (code: number, text: string): RegisteredError => ({ codespace: 'params', code, text });

/** Errors of params (cosmos-sdk v0.53 `x/params/types/proposal/errors.go`). */
export const paramsErrors = {
  unknownSubspace: params(2, 'unknown subspace'),
  failedToSet: params(3, 'failed to set parameter'),
  noChanges: params(4, 'submitted parameter changes are empty'),
  noSubspace: params(5, 'parameter subspace is empty'),
  noKey: params(6, 'parameter key is empty'),
  noValue: params(7, 'parameter value is empty'),
} as const satisfies Record<string, RegisteredError>;
