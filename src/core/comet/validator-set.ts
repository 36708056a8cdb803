/** Validator set of one height: order, power and hash (CometBFT spec, core/data_structures, ValidatorSet). */
import { create, toBinary } from '@bufbuild/protobuf';
import {
  SimpleValidatorSchema,
  type Validator,
  type ValidatorSet,
  ValidatorSetSchema,
} from '../proto/tendermint/types/validator_pb.js';
import { merkleRoot, type Sha256 } from './merkle.js';
import { compare, equal } from '../bytes/bytes.js';

/** Largest total power, 2^63 / 8: priorities cannot overflow an int64. */
export const MAX_TOTAL_POWER = (2n ** 63n - 1n) / 8n;

/** Sums the voting power of all validators. */
export function totalPower(validators: readonly Validator[]): bigint {
  return validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
}

/** Smallest power that decides: strictly more than two thirds of the total (CometBFT spec, consensus/consensus). */
export function quorum(total: bigint): bigint {
  return (total * 2n) / 3n + 1n;
}

const hashes = new WeakMap<Pick<ValidatorSet, 'validators'>, Uint8Array>();

/**
 * Computes `validators_hash` (32 bytes) over keys and powers in set order, without priorities. Sets never change, so
 * each is hashed once.
 */
export function validatorSetHash(crypto: Sha256, set: Pick<ValidatorSet, 'validators'>): Uint8Array {
  const known = hashes.get(set);
  if (known !== undefined) return known;
  const hash = merkleRoot(
    crypto,
    set.validators.map(({ pubKey, votingPower }) =>
      toBinary(SimpleValidatorSchema, create(SimpleValidatorSchema, { ...(pubKey && { pubKey }), votingPower })),
    ),
  );
  hashes.set(set, hash);
  return hash;
}

/** Sorts by power descending, then address ascending, and computes the total power. */
export function sortedSet(validators: readonly Validator[], proposer: Validator | undefined): ValidatorSet {
  const sorted = validators.toSorted((a, b) =>
    a.votingPower === b.votingPower ? compare(a.address, b.address) : a.votingPower > b.votingPower ? -1 : 1,
  );
  return create(ValidatorSetSchema, {
    validators: sorted,
    ...(proposer && { proposer }),
    totalVotingPower: totalPower(sorted),
  });
}

/** Index of an address in the set; -1 when it is not a member. */
export function indexOfAddress(set: Pick<ValidatorSet, 'validators'>, address: Uint8Array): number {
  return set.validators.findIndex((validator) => equal(validator.address, address));
}
