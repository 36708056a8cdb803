/** Verifies commit signatures by voting power (CometBFT v0.38 `types/validation.go`). */
import { MAX_INT64 } from '../../../../bigint.js';
import { equal } from '../../../../bytes/bytes.js';
import { hex, upperHex } from '../../../../bytes/hex.js';
import type { Signatures } from './crypto.js';
import {
  type BlockID,
  type Commit,
  type CommitSig,
  SignedMsgType,
} from '../../../../proto/tendermint/types/types_pb.js';
import { BlockIDFlag, type Validator, type ValidatorSet } from '../../../../proto/tendermint/types/validator_pb.js';
import { verifies } from '../../../../comet/duplicate-vote.js';
import { totalPower } from '../../../../comet/validator-set.js';
import { voteSignBytes } from '../../../../comet/vote.js';
import { LightProblem } from './problem.js';

const SIGNATURE_BYTES = 64;

/** A fraction of the voting power, as trust levels are given. */
export interface Share {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Thrown when too little power signed; only the trusting check reports it with its own text. */
export class NotEnoughVotingPower extends LightProblem {
  constructor(got: bigint, needed: bigint) {
    super(`invalid commit -- insufficient voting power: got ${got}, needed more than ${needed}`);
  }
}

/**
 * Public keys of verified signatures of one commit, by index: verifying a signature takes about 70 us, and two
 * validator sets mostly share members.
 */
export type Verified = Map<number, Uint8Array>;

/** Throws `LightProblem` unless validators with more than two thirds of the power signed the commit. */
export function verifyCommitLight(
  crypto: Signatures,
  chainId: string,
  set: ValidatorSet,
  at: Pick<Commit, 'blockId' | 'height'>,
  commit: Commit,
  verified: Verified = new Map(),
): void {
  const { validators } = set;
  if (validators.length !== commit.signatures.length)
    throw new LightProblem(`Invalid commit -- wrong set size: ${validators.length} vs ${commit.signatures.length}`);
  if (at.height !== commit.height)
    throw new LightProblem(`Invalid commit -- wrong height: ${at.height} vs ${commit.height}`);
  if (!sameBlock(at.blockId, commit.blockId)) throw new LightProblem('invalid commit -- wrong block ID');
  const needed = (totalPower(validators) * 2n) / 3n;
  verify(crypto, chainId, { set, commit, needed, verified, signerOf: (_, index) => validators[index] });
}

/**
 * Throws `LightProblem` unless trusted validators with more than the given fraction of their power signed the commit.
 */
export function verifyCommitTrusting(
  crypto: Signatures,
  chainId: string,
  set: ValidatorSet,
  commit: Commit,
  { numerator, denominator }: Share,
  verified: Verified = new Map(),
): void {
  if (denominator === 0n) throw new LightProblem('trustLevel has zero Denominator');
  const product = totalPower(set.validators) * BigInt.asIntN(64, numerator);
  if (product > MAX_INT64 || product < -MAX_INT64)
    throw new LightProblem(
      'int64 overflow while calculating voting power needed. please provide smaller trustLevel numerator',
    );
  const byAddress = new Map<string, Validator>();
  for (const validator of set.validators) {
    const address = hex(validator.address);
    if (!byAddress.has(address)) byAddress.set(address, validator);
  }
  const seen = new Map<Validator, number>();
  verify(crypto, chainId, {
    set,
    commit,
    needed: product / BigInt.asIntN(64, denominator),
    verified,
    signerOf({ validatorAddress }, index) {
      const validator = byAddress.get(hex(validatorAddress));
      if (validator === undefined) return undefined;
      const first = seen.get(validator);
      if (first !== undefined)
        throw new LightProblem(`double vote from ${validatorText(validator)} (${first} and ${index})`);
      seen.set(validator, index);
      return validator;
    },
  });
}

interface Counted {
  readonly set: ValidatorSet;
  readonly commit: Commit;
  /** Signers must have more than this power. */
  readonly needed: bigint;
  readonly verified: Verified;
  /** Validator of a signature; undefined when it does not count. */
  readonly signerOf: (signature: CommitSig, index: number) => Validator | undefined;
}

/**
 * Counts signatures for the block in order until they suffice. If all keys are of one kind, counts first and verifies
 * afterwards, because CometBFT verifies them as a batch; this determines which error comes first.
 */
function verify(crypto: Signatures, chainId: string, { set, commit, needed, verified, signerOf }: Counted): void {
  const isBatch = commit.signatures.length > 1 && set.validators.every(({ pubKey }) => pubKey?.sum.case === 'ed25519');
  const counted: (() => void)[] = [];
  let power = 0n;
  for (const [index, signature] of commit.signatures.entries()) {
    if (signature.blockIdFlag !== BlockIDFlag.BLOCK_ID_FLAG_COMMIT) continue;
    const validator = signerOf(signature, index);
    if (validator === undefined) continue;
    if (isBatch && signature.signature.length !== SIGNATURE_BYTES) throw new LightProblem('invalid signature');
    const check = (): void => checkSignature(crypto, chainId, validator, commit, index, verified);
    if (isBatch) counted.push(check);
    else check();
    power += validator.votingPower;
    if (power > needed) break;
  }
  if (power <= needed) throw new NotEnoughVotingPower(power, needed);
  for (const check of counted) check();
}

function checkSignature(
  crypto: Signatures,
  chainId: string,
  { pubKey }: Validator,
  commit: Commit,
  index: number,
  verified: Verified,
): void {
  const key = pubKey?.sum.value;
  const before = verified.get(index);
  if (key !== undefined && before !== undefined && equal(key, before)) return;
  const { height, round, blockId, signatures } = commit;
  const { timestamp, signature = new Uint8Array() } = signatures[index] ?? {};
  const message = voteSignBytes(chainId, { type: SignedMsgType.PRECOMMIT, height, round, blockId, timestamp });
  if (!verifies(crypto, pubKey, message, signature))
    throw new LightProblem(`wrong signature (#${index}): ${upperHex(signature)}`);
  if (key !== undefined) verified.set(index, key);
}

function sameBlock(one: BlockID | undefined, other: BlockID | undefined): boolean {
  const empty = new Uint8Array();
  return (
    equal(one?.hash ?? empty, other?.hash ?? empty) &&
    equal(one?.partSetHeader?.hash ?? empty, other?.partSetHeader?.hash ?? empty) &&
    (one?.partSetHeader?.total ?? 0) === (other?.partSetHeader?.total ?? 0)
  );
}

function validatorText({ address, pubKey, votingPower, proposerPriority }: Validator): string {
  const [kind, key] =
    pubKey?.sum.case === 'ed25519'
      ? ['Ed25519', pubKey.sum.value]
      : ['Secp256k1', pubKey?.sum.value ?? new Uint8Array()];
  return `Validator{${upperHex(address)} PubKey${kind}{${upperHex(key)}} VP:${votingPower} A:${proposerPriority}}`;
}
