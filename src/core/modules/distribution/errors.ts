/** Registered errors of codespace `distribution` (cosmos-sdk v0.53 `x/distribution/types/errors.go`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const distribution = (code: number, text: string): RegisteredError => ({ codespace: 'distribution', code, text });

export const distributionErrors = {
  emptyDelegationInfo: distribution(5, 'no delegation distribution info'),
  noCommission: distribution(7, 'no validator commission to withdraw'),
  withdrawAddressDisabled: distribution(8, 'set withdraw address disabled'),
  badDistribution: distribution(9, 'community pool does not have sufficient coins to distribute'),
  proposalAmount: distribution(10, 'invalid community pool spend proposal amount'),
  proposalRecipient: distribution(11, 'invalid community pool spend proposal recipient'),
} as const satisfies Record<string, RegisteredError>;
