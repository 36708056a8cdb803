/**
 * Weighted round-robin of proposers: in every turn each validator's priority grows by its power, and the proposer's
 * falls by the total power (CometBFT spec, consensus/proposer-selection).
 */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../errors.js';
import { type Validator, type ValidatorSet, ValidatorSetSchema } from '../proto/tendermint/types/validator_pb.js';
import { compare } from '../bytes/bytes.js';
import { totalPower } from './validator-set.js';

/** Priorities may spread over at most this multiple of the total power. */
const WINDOW_FACTOR = 2n;

/** Advances the set by `times` (at least 1) turns; the proposer is that of the last turn. */
export function incrementProposerPriority(set: ValidatorSet, times: number): ValidatorSet {
  invariant(times > 0 && set.validators.length > 0, 'a proposer is chosen at least once and from somebody');
  if (isSoleAndSettled(set)) return set;
  const total = totalPower(set.validators);
  let validators: readonly Validator[] = centredPriorities(rescaledPriorities(set.validators, total));
  let proposer = validators[0];
  for (let turn = 0; turn < times; turn++) {
    const raised = validators.map((validator) =>
      withPriority(validator, validator.proposerPriority + validator.votingPower),
    );
    const chosen = mostPrioritized(raised);
    validators = raised.map((validator) =>
      validator === chosen ? withPriority(validator, validator.proposerPriority - total) : validator,
    );
    proposer = validators[raised.indexOf(chosen)];
  }
  return create(ValidatorSetSchema, {
    validators: [...validators],
    ...(proposer && { proposer }),
    totalVotingPower: total,
  });
}

/** True for a sole validator whose priority is 0: each turn gives what it takes, so the set stays the same object. */
function isSoleAndSettled({ validators, proposer, totalVotingPower }: ValidatorSet): boolean {
  const [only] = validators;
  return (
    validators.length === 1 &&
    only !== undefined &&
    only === proposer &&
    only.proposerPriority === 0n &&
    only.votingPower === totalVotingPower
  );
}

/** Proposer of round 0 of this set's height. */
export function proposerOf(set: ValidatorSet): Validator {
  return set.proposer ?? mostPrioritized(set.validators);
}

/** Proposer of a round of this set's height. */
export function proposerOfRound(set: ValidatorSet, round: number): Validator {
  return proposerOf(round === 0 ? set : incrementProposerPriority(set, round));
}

/** Divides priorities, truncating toward zero, until their spread fits the window. */
export function rescaledPriorities(validators: readonly Validator[], total: bigint): readonly Validator[] {
  const window = total * WINDOW_FACTOR;
  const spread = spreadOf(validators);
  if (window <= 0n || spread <= window) return validators;
  const ratio = (spread + window - 1n) / window;
  return validators.map((validator) => withPriority(validator, validator.proposerPriority / ratio));
}

/** Shifts priorities so that their average, rounded down, becomes zero. */
export function centredPriorities(validators: readonly Validator[]): readonly Validator[] {
  const sum = validators.reduce((running, { proposerPriority }) => running + proposerPriority, 0n);
  const average = floorDivide(sum, BigInt(validators.length));
  return average === 0n
    ? validators
    : validators.map((validator) => withPriority(validator, validator.proposerPriority - average));
}

function withPriority(validator: Validator, proposerPriority: bigint): Validator {
  return { ...validator, proposerPriority };
}

function mostPrioritized(validators: readonly Validator[]): Validator {
  return validators.reduce((best, validator) => {
    if (validator.proposerPriority !== best.proposerPriority)
      return validator.proposerPriority > best.proposerPriority ? validator : best;
    return compare(validator.address, best.address) < 0 ? validator : best;
  });
}

function spreadOf(validators: readonly Validator[]): bigint {
  const priorities = validators.map(({ proposerPriority }) => proposerPriority);
  return priorities.reduce((a, b) => (a > b ? a : b)) - priorities.reduce((a, b) => (a < b ? a : b));
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}
