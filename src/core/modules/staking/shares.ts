/**
 * Conversion between tokens and shares (cosmos-sdk v0.53 `x/staking/types/validator.go`). Shares in units of 10^-18.
 */
import { DEC_ONE, quoDec, quoDecTruncate, truncateDec } from '../../sdk/coins/dec.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { stakingErrors } from './errors.js';
import { type Validator, isBonded } from './validator.js';

type Worth = Pick<Validator, 'tokens' | 'shares'>;

/** Tokens for shares, in units of 10^-18, rounded half to even. */
export function tokensFromShares({ tokens, shares: all }: Worth, shares: bigint): bigint {
  return quoDec(shares * tokens, all);
}

/** Tokens for shares, in units of 10^-18, truncated. */
export function tokensFromSharesTruncated({ tokens, shares: all }: Worth, shares: bigint): bigint {
  return quoDecTruncate(shares * tokens, all);
}

/** Shares for tokens; staking error 22 for a validator without tokens. */
export function sharesFromTokens({ tokens, shares: all }: Worth, amount: bigint): bigint {
  if (tokens === 0n) throw new SdkError(stakingErrors.insufficientShares);
  return (all * amount) / tokens;
}

/** Shares for tokens, truncated. */
export function sharesFromTokensTruncated({ tokens, shares: all }: Worth, amount: bigint): bigint {
  if (tokens === 0n) throw new SdkError(stakingErrors.insufficientShares);
  return quoDecTruncate(all * amount, tokens * DEC_ONE);
}

/** True for a validator with shares but no tokens, which has no exchange rate. */
export function hasNoExchangeRate({ tokens, shares }: Worth): boolean {
  return tokens === 0n && shares > 0n;
}

/** Tokens of a bonded validator; otherwise zero. */
export function bondedTokens(validator: Validator): bigint {
  return isBonded(validator) ? validator.tokens : 0n;
}

/**
 * Adds a delegation of `amount`; returns the validator and the new shares. The first delegation gets one share per
 * token.
 */
export function withTokens(
  validator: Validator,
  amount: bigint,
): { readonly validator: Validator; readonly shares: bigint } {
  const shares = validator.shares === 0n ? amount * DEC_ONE : sharesFromTokens(validator, amount);
  return {
    validator: { ...validator, tokens: validator.tokens + amount, shares: validator.shares + shares },
    shares,
  };
}

/** Removes shares; returns the validator and their tokens. The last shares take all tokens. */
export function withoutShares(
  validator: Validator,
  shares: bigint,
): { readonly validator: Validator; readonly tokens: bigint } {
  const left = validator.shares - shares;
  const tokens = left === 0n ? validator.tokens : truncateDec(tokensFromShares(validator, shares));
  return { validator: { ...validator, tokens: validator.tokens - tokens, shares: left }, tokens };
}
