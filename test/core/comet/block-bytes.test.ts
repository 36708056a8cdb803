/** Hand-written encoders of blocks, commits and votes produce the bytes of the generated codec. */
import { create, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { Int64ValueSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  blockBytes,
  blockIdBytes,
  canonicalVoteBytes,
  commitBytes,
  commitSigBytes,
  int64Bytes,
  timestampBytes,
  versionBytes,
} from '../../../src/core/comet/block-bytes.js';
import { completeBlock, completeBlockId, completeCommit } from '../../../src/core/comet/complete.js';
import { GO_ZERO_TIME, toTimestamp } from '../../../src/core/comet/time.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { CanonicalVoteSchema } from '../../../src/core/proto/tendermint/types/canonical_pb.js';
import { EvidenceListSchema, EvidenceSchema } from '../../../src/core/proto/tendermint/types/evidence_pb.js';
import {
  BlockIDSchema,
  CommitSchema,
  CommitSigSchema,
  DataSchema,
  HeaderSchema,
  PartSetHeaderSchema,
} from '../../../src/core/proto/tendermint/types/types_pb.js';
import { ConsensusSchema } from '../../../src/core/proto/tendermint/version/types_pb.js';
import { encode } from '../../support/encode.js';

const absent = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });
const made =
  <Desc extends DescMessage>(schema: Desc) =>
  (init: object): MessageShape<Desc> =>
    // Members without a value are left out, as in a decoded message.
    create(schema, Object.fromEntries(Object.entries(init).filter(([, value]) => value !== undefined)) as never);

const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 120, maxLength: 200 }));
const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 300n }));
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const int32 = fc.oneof(fc.integer(), fc.constant(0));
const time = fc
  .record({
    seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
    nanos: fc.integer({ min: 0, max: 999_999_999 }),
  })
  .map(made(TimestampSchema));
const version = fc.record({ block: uint64, app: uint64 }).map(made(ConsensusSchema));
const blockId = fc
  .record({
    hash: bytes,
    partSetHeader: absent(fc.record({ total: uint32, hash: bytes }).map(made(PartSetHeaderSchema))),
  })
  .map(made(BlockIDSchema));
const signature = fc
  .record({
    blockIdFlag: fc.integer({ min: 0, max: 3 }),
    validatorAddress: bytes,
    timestamp: absent(time),
    signature: bytes,
  })
  .map(made(CommitSigSchema));
const commit = fc
  .record({ height: int64, round: int32, blockId: absent(blockId), signatures: fc.array(signature, { maxLength: 4 }) })
  .map(made(CommitSchema));
const header = fc
  .record({
    version: absent(version),
    chainId: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'chronicle_271828-1')),
    height: int64,
    time: absent(time),
    lastBlockId: absent(blockId),
    lastCommitHash: bytes,
    dataHash: bytes,
    validatorsHash: bytes,
    nextValidatorsHash: bytes,
    consensusHash: bytes,
    appHash: bytes,
    lastResultsHash: bytes,
    evidenceHash: bytes,
    proposerAddress: bytes,
  })
  .map(made(HeaderSchema));
const offence = fc
  .record({ totalVotingPower: int64, validatorPower: int64 })
  .map((value) => create(EvidenceSchema, { sum: { case: 'duplicateVoteEvidence', value } }));
const block = fc
  .record({
    header: absent(header),
    data: absent(fc.record({ txs: fc.array(bytes, { maxLength: 5 }) }).map(made(DataSchema))),
    evidence: absent(fc.record({ evidence: fc.array(offence, { maxLength: 2 }) }).map(made(EvidenceListSchema))),
    lastCommit: absent(commit),
  })
  .map(made(BlockSchema));

it('blockBytes equals the generated codec for random blocks', () => {
  fc.assert(
    fc.property(block, (any) => {
      expect(blockBytes(any)).toEqual(toBinary(BlockSchema, completeBlock(any)));
    }),
  );
});

it('blockBytes equals the generated codec for an empty block and for one above the reused buffer', () => {
  const large = create(BlockSchema, {
    data: create(DataSchema, { txs: [new Uint8Array(3_000_000).fill(7), new Uint8Array(0)] }),
  });
  expect(Buffer.compare(blockBytes(large), toBinary(BlockSchema, completeBlock(large)))).toBe(0);
  expect(blockBytes(create(BlockSchema))).toEqual(toBinary(BlockSchema, completeBlock(create(BlockSchema))));
});

it('the encoders of commits, commit signatures and block ids equal the generated codec', () => {
  fc.assert(
    fc.property(commit, (any) => {
      const whole = completeCommit(any);
      expect(commitBytes(any)).toEqual(toBinary(CommitSchema, whole));
      expect(any.signatures.map(commitSigBytes)).toEqual(whole.signatures.map((one) => toBinary(CommitSigSchema, one)));
      expect(blockIdBytes(any.blockId)).toEqual(toBinary(BlockIDSchema, completeBlockId(any.blockId)));
    }),
  );
});

it('the encoders of header fields equal the generated codec', () => {
  fc.assert(
    fc.property(absent(version), absent(time), int64, (anyVersion, anyTime, value) => {
      expect(versionBytes(anyVersion)).toEqual(toBinary(ConsensusSchema, anyVersion ?? create(ConsensusSchema)));
      expect(timestampBytes(anyTime)).toEqual(toBinary(TimestampSchema, anyTime ?? toTimestamp(GO_ZERO_TIME)));
      expect(int64Bytes(value)).toEqual(encode(Int64ValueSchema, { value }));
    }),
  );
});

it('canonicalVoteBytes equals the generated codec', () => {
  const votes = fc.record({
    type: fc.constantFrom(1, 2),
    height: int64,
    round: int32,
    timestamp: absent(time),
    blockId: absent(blockId),
    chainId: fc.string({ unit: 'grapheme' }),
  });
  fc.assert(
    fc.property(votes, ({ chainId, blockId: id, ...vote }) => {
      const expected = toBinary(CanonicalVoteSchema, {
        $typeName: 'tendermint.types.CanonicalVote',
        type: vote.type,
        height: vote.height,
        round: BigInt(vote.round),
        blockId: id && {
          $typeName: 'tendermint.types.CanonicalBlockID',
          hash: id.hash,
          partSetHeader: {
            $typeName: 'tendermint.types.CanonicalPartSetHeader',
            total: id.partSetHeader?.total ?? 0,
            hash: id.partSetHeader?.hash ?? new Uint8Array(0),
          },
        },
        timestamp: vote.timestamp ?? toTimestamp(GO_ZERO_TIME),
        chainId,
      });
      expect(canonicalVoteBytes(chainId, vote, id)).toEqual(new BinaryWriter().bytes(expected).finish());
    }),
  );
});
