/** The worth of a validator's shares (cosmos-sdk v0.53 `x/staking/types/validator.go`). Shares have 18 decimals. */
import { DEC_ONE, quoDec, quoDecTruncate, truncateDec } from '../../sdk/coins/dec.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { stakingErrors } from './errors.js';
import { type Validator, isBonded } from './validator.js';

type Worth = Pick<Validator, 'tokens' | 'shares'>;

/** Tokens of shares, with 18 decimals, rounded half to even. */
export function tokensFromShares({ tokens, shares: all }: Worth, shares: bigint): bigint {
  return quoDec(shares * tokens, all);
}

/** Tokens of shares, with 18 decimals, cut towards zero. */
export function tokensFromSharesTruncated({ tokens, shares: all }: Worth, shares: bigint): bigint {
  return quoDecTruncate(shares * tokens, all);
}

/** Shares of an amount; staking error 22 `insufficient delegation shares` for a validator without tokens. */
export function sharesFromTokens({ tokens, shares: all }: Worth, amount: bigint): bigint {
  if (tokens === 0n) throw new SdkError(stakingErrors.insufficientShares);
  return (all * amount) / tokens;
}

/** Shares for tokens, cut towards zero. */
export function sharesFromTokensTruncated({ tokens, shares: all }: Worth, amount: bigint): bigint {
  if (tokens === 0n) throw new SdkError(stakingErrors.insufficientShares);
  return quoDecTruncate(all * amount, tokens * DEC_ONE);
}

/** True for a validator whose delegators lost everything: its shares have no price. */
export function hasNoExchangeRate({ tokens, shares }: Worth): boolean {
  return tokens === 0n && shares > 0n;
}

/** Tokens of the validator when it is bonded, else zero. */
export function bondedTokens(validator: Validator): bigint {
  return isBonded(validator) ? validator.tokens : 0n;
}

/** The validator after a delegation of `amount`, and the new shares; a first delegation gets a share per token. */
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

/** The validator without `shares`, and the tokens that they were worth; the last shares take all tokens. */
export function withoutShares(
  validator: Validator,
  shares: bigint,
): { readonly validator: Validator; readonly tokens: bigint } {
  const left = validator.shares - shares;
  const tokens = left === 0n ? validator.tokens : truncateDec(tokensFromShares(validator, shares));
  return { validator: { ...validator, tokens: validator.tokens - tokens, shares: left }, tokens };
}
