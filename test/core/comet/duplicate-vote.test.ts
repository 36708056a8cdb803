/** DuplicateVoteEvidence: one that a Go node accepted, and changed copies, each refused with CometBFT's reason. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { evidenceHash } from '../../../src/core/comet/body-hash.js';
import { duplicateVoteProblem, duplicateVotes, unprovenDuplicateVote } from '../../../src/core/comet/duplicate-vote.js';
import { evidenceFromJson, evidenceToJson, type EvidenceJson } from '../../../src/core/comet/json/evidence-json.js';
import { validatorFromJson, type ValidatorJson } from '../../../src/core/comet/json/validator-json.js';
import { fromTimestamp } from '../../../src/core/comet/time.js';
import { invariant } from '../../../src/core/errors.js';
import {
  type DuplicateVoteEvidence,
  DuplicateVoteEvidenceSchema,
} from '../../../src/core/proto/tendermint/types/evidence_pb.js';
import type { Vote } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { goldenLines, hasGolden } from '../../support/golden.js';

const crypto = createPureCrypto();
const CHAIN_ID = '9001';

interface Step {
  readonly step: string;
  readonly height: number;
  readonly evidence?: string;
  readonly result?: string;
}
interface Line {
  readonly height: number;
  readonly validators?: { readonly validators: readonly ValidatorJson[] };
}

function recorded() {
  const step = goldenLines<Step>('chain-a/scenario.jsonl').find((one) => one.step.startsWith('broadcast-evidence'));
  invariant(step?.evidence !== undefined, 'the recorded chain has evidence');
  const json: EvidenceJson = JSON.parse(step.evidence);
  const set = goldenLines<Line>('chain-a/blocks.jsonl')
    .filter(({ height }) => height <= step.height)
    .findLast(({ validators }) => validators !== undefined)?.validators;
  const evidence = evidenceFromJson(json);
  invariant(evidence.sum.case === 'duplicateVoteEvidence' && set !== undefined, 'two votes of a validator');
  return { json, evidence, votes: evidence.sum.value, validators: set.validators.map(validatorFromJson), step };
}

test.skipIf(!hasGolden)('recorded DuplicateVoteEvidence is accepted and has the recorded hash and JSON', () => {
  const { json, evidence, votes, validators, step } = recorded();
  expect(duplicateVoteProblem(votes)).toBeUndefined();
  expect(unprovenDuplicateVote(votes, CHAIN_ID, { validators }, crypto)).toBeUndefined();
  expect(step.result).toBe(`HASH ${upperHex(evidenceHash(crypto, evidence))}`);
  expect(evidenceToJson(evidence)).toEqual(json);
  const { voteA, voteB } = votes;
  invariant(voteA !== undefined && voteB !== undefined, 'two votes');
  expect(duplicateVotes([voteB, voteA], { validators }, fromTimestamp(votes.timestamp))).toEqual(votes);
});

test.skipIf(!hasGolden)('changed DuplicateVoteEvidence is refused with the errors of CometBFT', () => {
  const { votes, validators } = recorded();
  const { voteA, voteB } = votes;
  invariant(voteA?.blockId !== undefined && voteB !== undefined, 'two votes');
  const both = (change: Partial<Vote>): DuplicateVoteEvidence =>
    create(DuplicateVoteEvidenceSchema, { ...votes, voteA: { ...voteA, ...change }, voteB: { ...voteB, ...change } });
  const first = (change: Partial<Vote>): DuplicateVoteEvidence => ({ ...votes, voteA: { ...voteA, ...change } });
  const problems: readonly (readonly [DuplicateVoteEvidence, string])[] = [
    [{ ...votes, voteA: voteB, voteB: voteA }, 'duplicate votes in invalid order'],
    [{ ...votes, voteB: voteA }, 'duplicate votes in invalid order'],
    [create(DuplicateVoteEvidenceSchema, { voteA }), 'one or both of the votes are empty'],
    [first({ type: 32 }), 'invalid VoteA: invalid Type'],
    [first({ height: 0n }), 'invalid VoteA: negative or zero Height'],
    [first({ round: -1 }), 'invalid VoteA: negative Round'],
    [first({ blockId: { ...voteA.blockId, hash: new Uint8Array(3) } }), 'invalid VoteA: wrong BlockID: wrong Hash'],
    [
      first({ blockId: { ...voteA.blockId, hash: new Uint8Array() } }),
      'invalid VoteA: blockID must be either empty or complete, got: :1:9DCF97A184F3',
    ],
    [
      first({ validatorAddress: new Uint8Array(3) }),
      'invalid VoteA: expected ValidatorAddress size to be 20 bytes, got 3 bytes',
    ],
    [first({ validatorIndex: -1 }), 'invalid VoteA: negative ValidatorIndex'],
    [first({ signature: new Uint8Array() }), 'invalid VoteA: signature is missing'],
    [first({ signature: new Uint8Array(65) }), 'invalid VoteA: signature is too big (max: 64)'],
    [first({ extension: new Uint8Array(1) }), 'invalid VoteA: vote extension signature absent on vote with extension'],
    [first({ type: 1, extensionSignature: new Uint8Array(1) }), 'invalid VoteA: unexpected vote extension signature'],
  ];
  for (const [evidence, problem] of problems) expect(duplicateVoteProblem(evidence)).toBe(problem);

  const unproven: readonly (readonly [DuplicateVoteEvidence, string | RegExp])[] = [
    [
      both({ validatorAddress: new Uint8Array(20) }),
      'address 0000000000000000000000000000000000000000 was not a validator at height 178',
    ],
    [first({ round: 1 }), 'h/r/s does not match: 178/1/SIGNED_MSG_TYPE_PRECOMMIT vs 178/0/SIGNED_MSG_TYPE_PRECOMMIT'],
    [
      { ...votes, voteB: { ...voteB, validatorAddress: new Uint8Array(20) } },
      /^validator addresses do not match: 247BF2CB892B8AA23E37D8E208EF17995E0C22F0 vs 0{40}$/,
    ],
    [{ ...votes, validatorPower: 1n }, 'validator power from evidence and our validator set does not match (1 != 13)'],
    [
      { ...votes, totalVotingPower: 1n },
      'total voting power from the evidence and our validator set does not match (1 != 1020)',
    ],
    [both({ round: 1 }), 'verifying VoteA: invalid signature'],
    [{ ...votes, voteB: { ...voteB, signature: voteA.signature } }, 'verifying VoteB: invalid signature'],
  ];
  for (const [evidence, reason] of unproven) {
    expect(duplicateVoteProblem(evidence)).toBeUndefined();
    expect(unprovenDuplicateVote(evidence, CHAIN_ID, { validators }, crypto)).toMatch(reason);
  }
  expect(unprovenDuplicateVote(votes, 'other-1', { validators }, crypto)).toBe('verifying VoteA: invalid signature');
});
