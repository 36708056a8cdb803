import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const authz = (code: number, text: string): RegisteredError => ({ codespace: 'authz', code, text });

/** Codespace `authz` (cosmos-sdk v0.53 `x/authz/errors.go`). */
export const errors = {
  noAuthorization: authz(2, 'authorization not found'),
  invalidExpiration: authz(3, 'expiration time of authorization should be more than current time'),
  unknownType: authz(4, 'unknown authorization type'),
  noGrantKey: authz(5, 'grant key not found'),
  expired: authz(6, 'authorization expired'),
  granteeIsGranter: authz(7, 'grantee and granter should be different'),
  numberOfSigners: authz(9, 'authorization can be given to msg with only one signer'),
  negativeMaxTokens: authz(12, 'max tokens should be positive'),
} as const;
