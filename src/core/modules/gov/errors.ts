/** Registered errors of codespace `gov` (cosmos-sdk v0.53 `x/gov/types/errors.go`). */
import { plainError, type RegisteredError, type SdkError } from '../../sdk/module/sdk-error.js';

const gov = (code: number, text: string): RegisteredError => ({ codespace: 'gov', code, text });

export const govErrors = {
  inactiveProposal: gov(3, 'inactive proposal'),
  invalidContent: gov(5, 'invalid proposal content'),
  invalidType: gov(6, 'invalid proposal type'),
  invalidVote: gov(7, 'invalid vote option'),
  noMessages: gov(11, 'no messages proposed'),
  invalidMessage: gov(12, 'invalid proposal message'),
  invalidSigner: gov(13, 'expected gov account as only signer for proposal message'),
  metadataTooLong: gov(15, 'metadata too long'),
  minDepositTooSmall: gov(16, 'minimum deposit is too small'),
  invalidProposer: gov(18, 'invalid proposer'),
  votingPeriodEnded: gov(20, 'voting period already ended'),
  invalidProposal: gov(21, 'invalid proposal'),
  summaryTooLong: gov(22, 'summary too long'),
  invalidDepositDenom: gov(23, 'invalid deposit denom'),
} as const satisfies Record<string, RegisteredError>;

/** Error of Go's `collections` for a missing row. `key` is as Go prints it; `type` is the value's. */
export function missing(key: string, type: 'Proposal' | 'Deposit'): SdkError {
  return plainError(notFoundText(key, type));
}

/** Error text of `cosmossdk.io/collections` for a missing row; `key` is in its notation. */
export function notFoundText(key: string, type: 'Proposal' | 'Deposit'): string {
  return `collections: not found: key '${key}' of type github.com/cosmos/gogoproto/cosmos.gov.v1.${type}`;
}
