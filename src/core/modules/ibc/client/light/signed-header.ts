/** Stateless validation of a header and its commit (CometBFT v0.38 `types/light.go`, `types/block.go`). */
import { equal, utf8 } from '../../../../bytes/bytes.js';
import { upperHex } from '../../../../bytes/hex.js';
import type * as pb from '../../../../proto/tendermint/types/types_pb.js';
import { BlockIDFlag } from '../../../../proto/tendermint/types/validator_pb.js';
import { headerHash } from '../../../../comet/header-hash.js';
import type { Sha256 } from '../../../../comet/merkle.js';
import { fromTimestamp, GO_ZERO_TIME } from '../../../../comet/time.js';
import { BLOCK_PROTOCOL } from '../../../../comet/versions.js';
import { isNilBlockId } from '../../../../comet/vote.js';
import { LightProblem } from './problem.js';

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
const SIGNATURE_BYTES = 64;
const MAX_CHAIN_ID = 50;

/** A header with the commit that signs it. */
export interface CheckedHeader {
  readonly header: pb.Header;
  readonly commit: pb.Commit;
}

/** Validates a header and that its commit signs it; throws `LightProblem`. */
export function checkSignedHeader(
  crypto: Sha256,
  { header, commit }: pb.SignedHeader,
  chainId: string | undefined = header?.chainId,
): CheckedHeader {
  if (header === undefined) throw new LightProblem('missing header');
  if (commit === undefined) throw new LightProblem('missing commit');
  if (header.chainId !== chainId)
    throw new LightProblem(`header belongs to another chain ${JSON.stringify(header.chainId)}, not "${chainId}"`);
  if (commit.height !== header.height)
    throw new LightProblem(`header and commit height mismatch: ${header.height} vs ${commit.height}`);
  const hash = header.validatorsHash.length === 0 ? new Uint8Array() : headerHash(crypto, header);
  const signed = commit.blockId?.hash ?? new Uint8Array();
  if (!equal(hash, signed))
    throw new LightProblem(`commit signs block ${upperHex(signed)}, header is block ${upperHex(hash)}`);
  return { header, commit };
}

/** Rejects a header or commit that CometBFT's decoder rejects; throws `LightProblem`. */
export function checkParts({ header, commit }: pb.SignedHeader): void {
  if (header !== undefined) checkHeader(header);
  if (commit !== undefined) checkCommit(commit);
}

function checkHeader(header: pb.Header): void {
  checkBlockId(header.lastBlockId);
  const protocol = header.version?.block ?? 0n;
  if (protocol !== BLOCK_PROTOCOL)
    throw new LightProblem(`block protocol is incorrect: got: ${protocol}, want: ${BLOCK_PROTOCOL} `);
  const { length } = utf8(header.chainId);
  if (length > MAX_CHAIN_ID) throw new LightProblem(`chainID is too long; got: ${length}, max: ${MAX_CHAIN_ID}`);
  if (header.height < 0n) throw new LightProblem('negative Height');
  if (header.height === 0n) throw new LightProblem('zero Height');
  checkHash(header.lastCommitHash, 'wrong LastCommitHash: ');
  checkHash(header.dataHash, 'wrong DataHash: ');
  checkHash(header.evidenceHash, 'wrong EvidenceHash: ');
  const proposer = header.proposerAddress.length;
  if (proposer !== ADDRESS_BYTES)
    throw new LightProblem(`invalid ProposerAddress length; got: ${proposer}, expected: ${ADDRESS_BYTES}`);
  checkHash(header.validatorsHash, 'wrong ValidatorsHash: ');
  checkHash(header.nextValidatorsHash, 'wrong NextValidatorsHash: ');
  checkHash(header.consensusHash, 'wrong ConsensusHash: ');
  checkHash(header.lastResultsHash, 'wrong LastResultsHash: ');
}

/** Requires a hash of 0 or 32 bytes. */
function checkHash({ length }: Uint8Array, before: string): void {
  if (length !== 0 && length !== HASH_BYTES)
    throw new LightProblem(`${before}expected size to be ${HASH_BYTES} bytes, got ${length} bytes`);
}

/** Requires valid hash lengths in a block id. */
export function checkBlockId(blockId: pb.BlockID | undefined): void {
  checkHash(blockId?.partSetHeader?.hash ?? new Uint8Array(), 'wrong Hash: ');
  const { length } = blockId?.hash ?? new Uint8Array();
  if (length !== 0 && length !== HASH_BYTES) throw new LightProblem('wrong Hash');
}

/**
 * Validates a commit: it must be for a block and have signatures that are complete and consistent with their flags.
 */
export function checkCommit({ blockId, signatures, height, round }: pb.Commit): void {
  checkBlockId(blockId);
  for (const signature of signatures) {
    const problem = signatureProblem(signature);
    if (problem !== undefined) throw new LightProblem(problem);
  }
  if (height < 0n) throw new LightProblem('negative Height');
  if (round < 0) throw new LightProblem('negative Round');
  if (height === 0n) return;
  if (isNilBlockId(blockId)) throw new LightProblem('commit cannot be for nil block');
  if (signatures.length === 0) throw new LightProblem('no signatures in commit');
}

function signatureProblem({ blockIdFlag, validatorAddress, timestamp, signature }: pb.CommitSig): string | undefined {
  switch (blockIdFlag) {
    case BlockIDFlag.BLOCK_ID_FLAG_ABSENT:
      if (validatorAddress.length !== 0) return 'validator address is present';
      if (fromTimestamp(timestamp) !== GO_ZERO_TIME) return 'time is present';
      return signature.length === 0 ? undefined : 'signature is present';
    case BlockIDFlag.BLOCK_ID_FLAG_COMMIT:
    case BlockIDFlag.BLOCK_ID_FLAG_NIL:
      if (validatorAddress.length !== ADDRESS_BYTES)
        return `expected ValidatorAddress size to be ${ADDRESS_BYTES} bytes, got ${validatorAddress.length} bytes`;
      if (signature.length === 0) return 'signature is missing';
      return signature.length > SIGNATURE_BYTES ? `signature is too big (max: ${SIGNATURE_BYTES})` : undefined;
    case BlockIDFlag.BLOCK_ID_FLAG_UNKNOWN:
    default:
      return `unknown BlockIDFlag: ${Number(blockIdFlag)}`;
  }
}
