import { fromBinary } from '@bufbuild/protobuf';
import { equal } from '../bytes/bytes.js';
import { headerHash } from '../comet/header-hash.js';
import { fromTimestamp } from '../comet/time.js';
import { validatorSetHash } from '../comet/validator-set.js';
import type { SnapshotRestoredV2 } from '../log-events.js';
import { LightProblem } from '../modules/ibc/client/light/problem.js';
import { verifyCommitLight } from '../modules/ibc/client/light/verify-commit.js';
import type { Crypto } from '../ports/crypto.js';
import { BlockIDSchema, CommitSchema, HeaderSchema } from '../proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../proto/tendermint/types/validator_pb.js';
import type { StateFacts } from './state-facts.js';

/** Chain facts at a snapshot that its block, commit and state prove. */
export type HeadFacts = Pick<
  SnapshotRestoredV2['data'],
  'height' | 'time' | 'blockHash' | 'validators' | 'nextValidators' | 'head'
>;

/**
 * Returns inconsistencies in a snapshot's head: its header, its commit (which needs two thirds of the header's
 * validators; CometBFT v0.38 `types/validation.go`), and the validator sets of the next two blocks.
 */
export function headProblems(
  crypto: Crypto,
  chainId: string,
  { height, time, blockHash, validators, nextValidators, head }: HeadFacts,
  state: Pick<StateFacts, 'nextValidators'>,
): readonly string[] {
  try {
    const header = fromBinary(HeaderSchema, head.header);
    const blockId = fromBinary(BlockIDSchema, head.blockId);
    const signers = fromBinary(ValidatorSetSchema, head.lastValidators);
    const next = fromBinary(ValidatorSetSchema, validators);
    const afterNext = fromBinary(ValidatorSetSchema, nextValidators);
    const wrong: readonly (readonly [boolean, string])[] = [
      [header.chainId !== chainId, `the header is of chain ${header.chainId}`],
      [header.height !== height, `the header is of height ${header.height}`],
      [header.time === undefined || fromTimestamp(header.time) !== time, 'the header has another time'],
      [!equal(headerHash(crypto, header), blockId.hash), 'the header has another hash than its block'],
      [!equal(blockHash, blockId.hash), 'the block has another hash'],
      [!equal(validatorSetHash(crypto, signers), header.validatorsHash), 'the header names other validators'],
      [!equal(validatorSetHash(crypto, next), header.nextValidatorsHash), 'the header names other next validators'],
      [
        !equal(validatorSetHash(crypto, afterNext), validatorSetHash(crypto, state.nextValidators)),
        'the state names other validators of the block after the next one',
      ],
    ];
    const problems = wrong.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
    if (problems.length > 0) return problems;
    const commit = fromBinary(CommitSchema, head.commit);
    verifyCommitLight(crypto, chainId, signers, { height, blockId }, commit);
    return [];
  } catch (error) {
    if (error instanceof LightProblem) return [error.message];
    return ['the head of the chain cannot be decoded'];
  }
}
