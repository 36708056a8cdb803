/**
 * Duplicate-vote evidence: a validator signed two votes in one round (CometBFT v0.38 `types/evidence.go`,
 * `types/vote.go`, `evidence/verify.go`). Error texts are CometBFT's.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { compare, concat, equal } from '../bytes/bytes.js';
import { upperHex } from '../bytes/hex.js';
import type { Crypto } from '../ports/crypto.js';
import { type TimeNs } from '../primitives.js';
import type { PublicKey } from '../proto/tendermint/crypto/keys_pb.js';
import { type DuplicateVoteEvidence, DuplicateVoteEvidenceSchema } from '../proto/tendermint/types/evidence_pb.js';
import * as pb from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import { completeBlockId } from './complete.js';
import { toTimestamp } from './time.js';
import { indexOfAddress, totalPower } from './validator-set.js';
import { isNilBlockId, voteSignBytes } from './vote.js';

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
const SIGNATURE_BYTES = 64;
/** Bytes of a hash shown in an error text. */
const FINGERPRINT = 6;

/** Makes evidence from two votes of a validator in the set; `time` is the time of the block at the votes' height. */
export function duplicateVotes(
  votes: readonly [pb.Vote, pb.Vote],
  validators: Pick<ValidatorSet, 'validators'>,
  time: TimeNs,
): DuplicateVoteEvidence {
  const [voteA, voteB] = votes.toSorted((one, other) => compare(orderKey(one), orderKey(other)));
  const at = indexOfAddress(validators, votes[0].validatorAddress);
  return create(DuplicateVoteEvidenceSchema, {
    voteA,
    voteB,
    totalVotingPower: totalPower(validators.validators),
    validatorPower: validators.validators[at]?.votingPower ?? 0n,
    timestamp: toTimestamp(time),
  });
}

/** Validates evidence without chain data; undefined when it is valid. */
export function duplicateVoteProblem({ voteA, voteB }: DuplicateVoteEvidence): string | undefined {
  if (voteA === undefined || voteB === undefined) return 'one or both of the votes are empty';
  const [first, second] = [voteProblem(voteA), voteProblem(voteB)];
  if (first !== undefined) return `invalid VoteA: ${first}`;
  if (second !== undefined) return `invalid VoteB: ${second}`;
  return compare(orderKey(voteA), orderKey(voteB)) >= 0 ? 'duplicate votes in invalid order' : undefined;
}

/** Returns why valid evidence does not prove misbehavior of a validator at its height; undefined when it does. */
export function unprovenDuplicateVote(
  { voteA, voteB, validatorPower, totalVotingPower }: DuplicateVoteEvidence,
  chainId: string,
  { validators }: Pick<ValidatorSet, 'validators'>,
  crypto: Pick<Crypto, 'sha256' | 'verifyEd25519' | 'verifySecp256k1'>,
): string | undefined {
  if (voteA === undefined || voteB === undefined) return 'one or both of the votes are empty';
  const { validatorAddress: address } = voteA;
  const validator = validators[indexOfAddress({ validators }, address)];
  if (validator === undefined) return `address ${upperHex(address)} was not a validator at height ${voteA.height}`;
  const [placeA, placeB] = [placeOf(voteA), placeOf(voteB)];
  if (placeA !== placeB) return `h/r/s does not match: ${placeA} vs ${placeB}`;
  if (!equal(address, voteB.validatorAddress))
    return `validator addresses do not match: ${upperHex(address)} vs ${upperHex(voteB.validatorAddress)}`;
  if (validator.votingPower !== validatorPower)
    return `validator power from evidence and our validator set does not match (${validatorPower} != ${validator.votingPower})`;
  const total = totalPower(validators);
  if (total !== totalVotingPower)
    return `total voting power from the evidence and our validator set does not match (${totalVotingPower} != ${total})`;
  const isSigned = (vote: pb.Vote): boolean =>
    verifies(crypto, validator.pubKey, voteSignBytes(chainId, vote), vote.signature);
  if (!isSigned(voteA)) return 'verifying VoteA: invalid signature';
  return isSigned(voteB) ? undefined : 'verifying VoteB: invalid signature';
}

/** Verifies a signature by a consensus key; false for a key without a type. */
export function verifies(
  crypto: Pick<Crypto, 'sha256' | 'verifyEd25519' | 'verifySecp256k1'>,
  key: PublicKey | undefined,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES || key === undefined) return false;
  switch (key.sum.case) {
    case 'ed25519':
      return crypto.verifyEd25519(key.sum.value, message, signature);
    case 'secp256k1':
      return crypto.verifySecp256k1(key.sum.value, crypto.sha256(message), signature);
    case undefined:
      return false;
  }
}

/** Ports `Vote.ValidateBasic`; undefined when the vote is valid. */
function voteProblem(vote: pb.Vote): string | undefined {
  const { type, height, round, validatorAddress, validatorIndex, signature, extension, extensionSignature } = vote;
  if (type !== pb.SignedMsgType.PREVOTE && type !== pb.SignedMsgType.PRECOMMIT) return 'invalid Type';
  if (height <= 0n) return 'negative or zero Height';
  if (round < 0) return 'negative Round';
  const blockId = completeBlockId(vote.blockId);
  const problem = blockIdProblem(blockId);
  if (problem !== undefined) return `wrong BlockID: ${problem}`;
  const isNil = isNilBlockId(blockId);
  if (!isNil && !isComplete(blockId)) return `blockID must be either empty or complete, got: ${blockIdText(blockId)}`;
  if (validatorAddress.length !== ADDRESS_BYTES)
    return `expected ValidatorAddress size to be ${ADDRESS_BYTES} bytes, got ${validatorAddress.length} bytes`;
  if (validatorIndex < 0) return 'negative ValidatorIndex';
  if (signature.length === 0) return 'signature is missing';
  if (signature.length > SIGNATURE_BYTES) return `signature is too big (max: ${SIGNATURE_BYTES})`;
  if (type !== pb.SignedMsgType.PRECOMMIT || isNil) {
    if (extension.length > 0) return `unexpected vote extension; vote type ${type}, isNil ${isNil}`;
    return extensionSignature.length > 0 ? 'unexpected vote extension signature' : undefined;
  }
  if (extensionSignature.length > SIGNATURE_BYTES)
    return `vote extension signature is too big (max: ${SIGNATURE_BYTES})`;
  return extensionSignature.length === 0 && extension.length > 0
    ? 'vote extension signature absent on vote with extension'
    : undefined;
}

function blockIdProblem({ hash, partSetHeader }: pb.BlockID): string | undefined {
  if (hash.length > 0 && hash.length !== HASH_BYTES) return 'wrong Hash';
  const parts = partSetHeader?.hash.length ?? 0;
  if (parts > 0 && parts !== HASH_BYTES)
    return `wrong PartSetHeader: wrong Hash: expected size to be ${HASH_BYTES} bytes, got ${parts} bytes`;
  return undefined;
}

function isComplete({ hash, partSetHeader }: pb.BlockID): boolean {
  return hash.length === HASH_BYTES && (partSetHeader?.total ?? 0) > 0 && partSetHeader?.hash.length === HASH_BYTES;
}

function blockIdText({ hash, partSetHeader }: pb.BlockID): string {
  const print = upperHex((partSetHeader?.hash ?? new Uint8Array()).subarray(0, FINGERPRINT));
  return `${upperHex(hash)}:${partSetHeader?.total ?? 0}:${print.padEnd(2 * FINGERPRINT, '0')}`;
}

/** Ports `BlockID.Key`, which orders the two votes. */
function orderKey({ blockId }: pb.Vote): Uint8Array {
  const { hash, partSetHeader } = completeBlockId(blockId);
  const parts: pb.PartSetHeader = partSetHeader ?? create(pb.PartSetHeaderSchema);
  return concat(hash, toBinary(pb.PartSetHeaderSchema, parts));
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  [pb.SignedMsgType.PREVOTE]: 'SIGNED_MSG_TYPE_PREVOTE',
  [pb.SignedMsgType.PRECOMMIT]: 'SIGNED_MSG_TYPE_PRECOMMIT',
};

function placeOf({ height, round, type }: pb.Vote): string {
  return `${height}/${round}/${TYPE_NAMES[type]}`;
}
