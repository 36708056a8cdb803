/** Block facts (votes, misbehavior, header) equal recorded FinalizeBlock requests (`abci-finalize-samples.jsonl`). */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { blockFromJson } from '../../../src/core/comet/json/block-json.js';
import { validatorFromJson } from '../../../src/core/comet/json/validator-json.js';
import { formatTime } from '../../../src/core/comet/time.js';
import { sortedSet, validatorSetHash } from '../../../src/core/comet/validator-set.js';
import type { TimeNs } from '../../../src/core/primitives.js';
import {
  DuplicateVoteEvidenceSchema,
  EvidenceListSchema,
  EvidenceSchema,
  LightClientAttackEvidenceSchema,
} from '../../../src/core/proto/tendermint/types/evidence_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import {
  CommitSchema,
  CommitSigSchema,
  HeaderSchema,
  VoteSchema,
} from '../../../src/core/proto/tendermint/types/types_pb.js';
import {
  BlockIDFlag,
  ValidatorSchema,
  type ValidatorSet,
} from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { nodeCrypto } from '../comet/node-crypto.js';
import { recordedHeights } from '../comet/recorded-blocks.js';

interface Sample {
  readonly decided_last_commit: {
    readonly round?: number;
    readonly votes?: readonly {
      readonly validator: { readonly address: string; readonly power: number };
      readonly block_id_flag: number;
    }[];
  };
  readonly misbehavior?: readonly {
    readonly type: number;
    readonly validator: { readonly address: string; readonly power: number };
    readonly height: number;
    readonly time: string;
    readonly total_voting_power: number;
  }[];
  readonly height: number;
  readonly time: string;
  readonly next_validators_hash: string;
  readonly proposer_address: string;
}

const FLAG_NUMBERS = { absent: 1, commit: 2, nil: 3 } as const;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const time = (at: TimeNs): string => formatTime(at);

describe('block facts', () => {
  test.skipIf(!hasGolden)('equal the FinalizeBlock requests that a node received', () => {
    const heights = recordedHeights('chain-a/blocks.jsonl');
    const sets = new Map<string, ValidatorSet>();
    for (const { validators } of heights) {
      if (validators === undefined) continue;
      const set = sortedSet(validators.validators.map(validatorFromJson), undefined);
      sets.set(upperHex(validatorSetHash(nodeCrypto, set)), set);
    }
    const samples = goldenLines<Sample>('chain-a/abci-finalize-samples.jsonl');
    const got = samples.map(({ height }) => {
      const [before, recorded] = [height - 1, height].map((wanted) => heights.find(({ height: at }) => at === wanted));
      if (recorded === undefined) throw new Error(`height ${height} is not recorded`);
      const lastValidators = before && sets.get(before.block.block.header.validators_hash);
      const facts = blockFacts(blockFromJson(recorded.block.block), lastValidators);
      return {
        votes: facts.lastCommitVotes.map(({ address, power, flag }) => [
          base64(address),
          Number(power),
          FLAG_NUMBERS[flag],
        ]),
        misbehavior: facts.misbehavior.map((one) => [
          one.kind,
          base64(one.address),
          Number(one.power),
          Number(one.height),
          time(one.time),
          Number(one.totalVotingPower),
        ]),
        height: Number(facts.height),
        time: time(facts.time),
        next: base64(facts.nextValidatorsHash),
        proposer: base64(facts.proposerAddress),
        previous: upperHex(facts.previousAppHash),
      };
    });
    expect(got).toEqual(
      samples.map((sample) => ({
        votes: (sample.decided_last_commit.votes ?? []).map(({ validator, block_id_flag: flag }) => [
          validator.address,
          validator.power,
          flag,
        ]),
        misbehavior: (sample.misbehavior ?? []).map((one) => [
          'duplicate vote',
          one.validator.address,
          one.validator.power,
          one.height,
          one.time,
          one.total_voting_power,
        ]),
        height: sample.height,
        time: sample.time,
        next: sample.next_validators_hash,
        proposer: sample.proposer_address,
        previous: heights.find(({ height }) => height === sample.height)?.block.block.header.app_hash,
      })),
    );
    expect(got.some(({ misbehavior }) => misbehavior.length > 0)).toBe(true);
  });

  test('tell a nil vote from an absent one, and list each validator of a light client attack as misbehavior', () => {
    const validators = [1, 2, 3].map((byte) =>
      create(ValidatorSchema, { address: new Uint8Array(20).fill(byte), votingPower: BigInt(10 * byte) }),
    );
    const block = create(BlockSchema, {
      header: create(HeaderSchema, { height: 9n }),
      lastCommit: create(CommitSchema, {
        round: 2,
        signatures: [
          BlockIDFlag.BLOCK_ID_FLAG_NIL,
          BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
          BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
        ].map((blockIdFlag) => create(CommitSigSchema, { blockIdFlag })),
      }),
      evidence: create(EvidenceListSchema, {
        evidence: [
          create(EvidenceSchema, {
            sum: {
              case: 'lightClientAttackEvidence',
              value: create(LightClientAttackEvidenceSchema, {
                commonHeight: 4n,
                byzantineValidators: validators.slice(0, 2),
                totalVotingPower: 60n,
              }),
            },
          }),
          create(EvidenceSchema, {
            sum: {
              case: 'duplicateVoteEvidence',
              value: create(DuplicateVoteEvidenceSchema, {
                voteA: create(VoteSchema, { height: 5n, validatorAddress: new Uint8Array(20).fill(3) }),
                validatorPower: 30n,
                totalVotingPower: 60n,
              }),
            },
          }),
        ],
      }),
    });
    const facts = blockFacts(block, sortedSet(validators, undefined));
    expect(facts.lastCommitVotes.map(({ flag }) => flag)).toEqual(['nil', 'commit', 'absent']);
    expect(facts.lastCommitRound).toBe(2);
    expect(facts.misbehavior.map(({ kind, power, height }) => [kind, power, height])).toEqual([
      ['light client attack', 10n, 4n],
      ['light client attack', 20n, 4n],
      ['duplicate vote', 30n, 5n],
    ]);
  });
});
