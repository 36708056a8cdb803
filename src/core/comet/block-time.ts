/** BFT time: the weighted median of the times in the last commit (CometBFT spec, consensus/bft-time). */
import { invariant } from '../errors.js';
import type { TimeNs } from '../primitives.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import { BlockIDFlag, type ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import { fromTimestamp } from './time.js';

/**
 * Time of the block that carries `commit`. Signatures must be in the order of `validators`; nil votes count, absent
 * ones do not.
 */
export function medianTime(commit: Commit, validators: Pick<ValidatorSet, 'validators'>): TimeNs {
  const votes: { readonly time: TimeNs; readonly power: bigint }[] = [];
  commit.signatures.forEach((signature, index) => {
    const validator = validators.validators[index];
    if (signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_ABSENT || validator === undefined) return;
    votes.push({ time: fromTimestamp(signature.timestamp), power: validator.votingPower });
  });
  votes.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  let remaining = votes.reduce((sum, { power }) => sum + power, 0n) / 2n;
  for (const { time, power } of votes) {
    if (remaining <= power) return time;
    remaining -= power;
  }
  invariant(false, 'a commit has at least one vote');
}
