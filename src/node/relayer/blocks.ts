import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type CommitJson, commitFromJson } from '../../core/comet/json/commit-json.js';
import { type HeaderJson, headerFromJson } from '../../core/comet/json/header-json.js';
import { type ValidatorJson, validatorFromJson } from '../../core/comet/json/validator-json.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { sortedSet } from '../../core/comet/validator-set.js';
import { MerkleProofSchema } from '../../core/proto/ibc/core/commitment/v1/commitment_pb.js';
import { CommitmentProofSchema } from '../../core/proto/cosmos/ics23/v1/proofs_pb.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import { heightOfChain, type SignedBlock } from '../../core/relayer/clients.js';
import type { RelayedProof } from '../../core/relayer/handshake.js';
import { asObject } from '../../core/text/json-object.js';
import type { Remote } from './remote.js';

/** Parses a part of an RPC answer in CometBFT's form, without validation: the other node is of this build. */
const read = <Form, Value>(part: unknown, parse: (json: Form) => Value): Value =>
  parse(JSON.parse(JSON.stringify(part)));

/** The validator set of a height. It reads one page only, because dev chains have few validators. */
export async function validatorsAt(remote: Remote, height: bigint): Promise<ValidatorSet> {
  const { validators } = await remote.call('validators', { height: height.toString(), per_page: '100' });
  const list = read(validators, (json: readonly ValidatorJson[]) => json.map(validatorFromJson));
  return sortedSet(list, list[0]);
}

/** Time of the block at a height, in nanoseconds. */
export async function timeAt(remote: Remote, height: bigint): Promise<bigint> {
  const signed = asObject((await remote.call('commit', { height: height.toString() }))['signed_header']);
  return fromTimestamp(read(signed?.['header'], (json: HeaderJson) => headerFromJson(json)).time);
}

/** The block of a height with its commit and validators. */
export async function signedBlock(remote: Remote, height: bigint): Promise<SignedBlock> {
  const [answer, validators] = await Promise.all([
    remote.call('commit', { height: height.toString() }),
    validatorsAt(remote, height),
  ]);
  const signed = asObject(answer['signed_header']);
  return {
    header: read(signed?.['header'], (json: HeaderJson) => headerFromJson(json)),
    commit: read(signed?.['commit'], (json: CommitJson) => commitFromJson(json)),
    validators,
  };
}

/**
 * A proof of a key or its absence for the header at `height`, whose app hash is that of the state at `height - 1`.
 */
export async function proofUnder(remote: Remote, height: bigint, key: Uint8Array): Promise<RelayedProof> {
  const { proofs } = await remote.abciQuery('/store/ibc/key', key, height - 1n, true);
  const merkle = create(MerkleProofSchema, {
    proofs: proofs.map((bytes) => fromBinary(CommitmentProofSchema, bytes)),
  });
  return {
    proof: toBinary(MerkleProofSchema, merkle),
    proofHeight: heightOfChain(remote.chain.chainId, height),
  };
}
