import { sharesFromTokens } from '../../modules/staking/shares.js';
import { stakingRules } from '../../modules/staking/rules.js';
import { DEC_LIMIT } from '../../sdk/coins/dec.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

/** Panic texts for keys of a wrong length (cosmos-sdk v0.53 `crypto/keys`, Address of each kind). */
const WRONG_LENGTH = { ed25519: 'pubkey is incorrect size', secp256k1: 'length of pubkey is incorrect' } as const;

/** Staking in cosmos-sdk v0.53. */
export const staking = stakingRules.with({
  /** Delegators may remove the last validator's power, which halts the chain. */
  requireValidatorLeft: () => {},
  /** The intermediate product must fit a decimal (`x/staking/types/validator.go` SharesFromTokens). */
  sharesOf: (validator, amount) => {
    if (validator.tokens > 0n && validator.shares * amount > DEC_LIMIT) throw new RecoveredPanic('Int overflow');
    return sharesFromTokens(validator, amount);
  },
  /** Decimals are pointers; an absent rate panics. */
  absentRate: () => new RecoveredPanic(NIL_POINTER),
  /** The key's address is computed before its length is checked. */
  wrongKeyLength: (kind) => new RecoveredPanic(WRONG_LENGTH[kind]),
});
