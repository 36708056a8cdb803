import { sharesFromTokens } from '../../modules/staking/shares.js';
import { stakingRules } from '../../modules/staking/rules.js';
import { DEC_LIMIT } from '../../sdk/coins/dec.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

/** A key of a wrong length (cosmos-sdk v0.53 `crypto/keys`, Address of each kind). */
const WRONG_LENGTH = { ed25519: 'pubkey is incorrect size', secp256k1: 'length of pubkey is incorrect' } as const;

/** Staking of cosmos-sdk v0.53. */
export const staking = stakingRules.with({
  /** The power of the last validator can be taken by its delegators: then the chain ends. */
  requireValidatorLeft: () => {},
  /** The product in between must fit a decimal (`x/staking/types/validator.go` SharesFromTokens). */
  sharesOf: (validator, amount) => {
    if (validator.tokens > 0n && validator.shares * amount > DEC_LIMIT) throw new RecoveredPanic('Int overflow');
    return sharesFromTokens(validator, amount);
  },
  /** Decimals are pointers. */
  absentRate: () => new RecoveredPanic(NIL_POINTER),
  /** The address of the key is made before its length is checked. */
  wrongKeyLength: (kind) => new RecoveredPanic(WRONG_LENGTH[kind]),
});
