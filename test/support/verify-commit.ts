/**
 * Verifies a commit as another full node does before it trusts the block (CometBFT v0.38 `VerifyCommit` in
 * `types/validation.go`).
 */
import type { Crypto } from '../../src/core/ports/crypto.js';
import {
  type BlockID,
  type Commit,
  type CommitSig,
  SignedMsgType,
} from '../../src/core/proto/tendermint/types/types_pb.js';
import { BlockIDFlag, type Validator, type ValidatorSet } from '../../src/core/proto/tendermint/types/validator_pb.js';
import { equal } from '../../src/core/bytes/bytes.js';
import { quorum, totalPower } from '../../src/core/comet/validator-set.js';
import { voteSignBytes } from '../../src/core/comet/vote.js';

export type CommitVerification =
  | { readonly ok: true; readonly power: bigint }
  | { readonly ok: false; readonly reason: string };

type Verify = Pick<Crypto, 'sha256' | 'verifyEd25519' | 'verifySecp256k1'>;

/** Every signature must be valid, and more than two thirds of the voting power must have signed this block. */
export function verifyCommit(
  crypto: Verify,
  chainId: string,
  set: Pick<ValidatorSet, 'validators'>,
  blockId: BlockID,
  height: bigint,
  commit: Commit,
): CommitVerification {
  if (set.validators.length !== commit.signatures.length) {
    return failed(`invalid commit -- wrong set size: ${set.validators.length} vs ${commit.signatures.length}`);
  }
  if (commit.height !== height) return failed(`invalid commit -- wrong height: ${height} vs ${commit.height}`);
  if (!equalBlockIds(commit.blockId, blockId)) return failed('invalid commit -- wrong block ID');
  let power = 0n;
  for (const [index, signature] of commit.signatures.entries()) {
    if (signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_ABSENT) continue;
    const validator = set.validators[index];
    if (validator === undefined || !verifyCommitSig(crypto, chainId, commit, signature, validator))
      return failed(`wrong signature (#${index})`);
    if (signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT) power += validator.votingPower;
  }
  const needed = quorum(totalPower(set.validators));
  return power >= needed
    ? { ok: true, power }
    : failed(`invalid commit -- insufficient voting power: got ${power}, needed more than ${needed - 1n}`);
}

/** The sign bytes behind a commit signature: with the voter's own time, and with the block unless the vote is nil. */
function commitSigSignBytes(chainId: string, commit: Commit, signature: CommitSig): Uint8Array {
  const forBlock = signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT ? commit.blockId : undefined;
  return voteSignBytes(chainId, {
    type: SignedMsgType.PRECOMMIT,
    height: commit.height,
    round: commit.round,
    blockId: forBlock,
    timestamp: signature.timestamp,
  });
}

function equalBlockIds(a: BlockID | undefined, b: BlockID | undefined): boolean {
  const none = new Uint8Array();
  return (
    equal(a?.hash ?? none, b?.hash ?? none) &&
    (a?.partSetHeader?.total ?? 0) === (b?.partSetHeader?.total ?? 0) &&
    equal(a?.partSetHeader?.hash ?? none, b?.partSetHeader?.hash ?? none)
  );
}

/** Verifies a signature of a consensus key over a message; secp256k1 keys sign its hash. */
function verifySignature(
  crypto: Verify,
  validator: Pick<Validator, 'pubKey'>,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const sum = validator.pubKey?.sum;
  if (sum?.case === 'ed25519') return crypto.verifyEd25519(sum.value, message, signature);
  if (sum?.case === 'secp256k1') return crypto.verifySecp256k1(sum.value, crypto.sha256(message), signature);
  return false;
}

function verifyCommitSig(
  crypto: Verify,
  chainId: string,
  commit: Commit,
  signature: CommitSig,
  validator: Validator,
): boolean {
  return (
    equal(signature.validatorAddress, validator.address) &&
    verifySignature(crypto, validator, commitSigSignBytes(chainId, commit, signature), signature.signature)
  );
}

function failed(reason: string): CommitVerification {
  return { ok: false, reason };
}
