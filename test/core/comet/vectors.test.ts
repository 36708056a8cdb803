import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EncodedResults, NO_RESULTS } from '../../../src/core/comet/encoded-results.js';
import { addressOf, ed25519Address } from '../../../src/core/comet/address.js';
import { commitHash, consensusParamsHash, dataHash, resultsHash } from '../../../src/core/comet/body-hash.js';
import { headerHash } from '../../../src/core/comet/header-hash.js';
import { emptyCommit, makeBlock } from '../../../src/core/comet/make-block.js';
import { leafHash, merkleProofs, merkleRoot } from '../../../src/core/comet/merkle.js';
import { blockIdOf, encodeBlock } from '../../../src/core/comet/part-set.js';
import { fromBase64, toBase64 } from '../../../src/core/bytes/base64.js';
import { fromHex, upperHex } from '../../../src/core/bytes/hex.js';
import { formatTime, fromTimestamp, GO_ZERO_TIME, parseTime, toTimestamp } from '../../../src/core/comet/time.js';
import { genesisValidatorSet } from '../../../src/core/comet/validator-updates.js';
import { validatorSetHash } from '../../../src/core/comet/validator-set.js';
import { verifyCommit } from '../../support/verify-commit.js';
import { voteSignBytes } from '../../../src/core/comet/vote.js';
import { type TimeNs, toHeight, toTimeNs } from '../../../src/core/primitives.js';
import {
  type ExecTxResult,
  ExecTxResultSchema,
  ValidatorUpdateSchema,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';
import {
  BlockParamsSchema,
  ConsensusParamsSchema,
  VersionParamsSchema,
} from '../../../src/core/proto/tendermint/types/params_pb.js';
import { CommitSchema, CommitSigSchema, SignedMsgType } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { BlockIDFlag } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { verifyMerkleProof } from '../../support/merkle-proof.js';
import { nodeCrypto } from './node-crypto.js';

const EMPTY_TREE = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';
const PUBLIC = fromHex('293795ae33fb34922e7ef80c26c411c598df1720fe13175ae8eef1fa8c48be60');
const seed = createHash('sha256').update('val0').digest();
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});

const timeAt = (text: string): TimeNs => parseTime(text) ?? toTimeNs(0n);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const genesis = genesisValidatorSet(nodeCrypto, [
  create(ValidatorUpdateSchema, {
    pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: PUBLIC } }),
    power: 10n,
  }),
]);
if (!genesis.ok) throw new Error(genesis.reason);
const validators = genesis.set;

const consensusParams = create(ConsensusParamsSchema, {
  block: create(BlockParamsSchema, { maxBytes: 22_020_096n, maxGas: -1n }),
  version: create(VersionParamsSchema, { app: 1n }),
});
const contents = {
  chainId: 'vec-1',
  validators,
  nextValidators: validators,
  consensusParams,
  proposerAddress: ed25519Address(nodeCrypto, PUBLIC),
};
const resultsOf = (txResults: readonly ExecTxResult[]): EncodedResults =>
  EncodedResults.of({ events: [], txResults, validatorUpdates: [] });
const block1 = makeBlock(nodeCrypto, {
  ...contents,
  height: toHeight(1n),
  time: timeAt('2024-01-02T03:04:05.6789Z'),
  txs: [utf8('a=1')],
  lastCommit: emptyCommit(),
  lastBlockId: undefined,
  appHash: new Uint8Array(8),
  lastResultsHash: resultsHash(nodeCrypto, NO_RESULTS),
});
const { blockId, size } = blockIdOf(nodeCrypto, block1);
const voteTime = timeAt('2024-01-02T03:04:06.123456789Z');
const precommit = { type: SignedMsgType.PRECOMMIT, height: 1n, round: 0, timestamp: toTimestamp(voteTime) };
const commit1 = create(CommitSchema, {
  height: 1n,
  blockId,
  signatures: [
    create(CommitSigSchema, {
      blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
      validatorAddress: contents.proposerAddress,
      timestamp: toTimestamp(voteTime),
      signature: new Uint8Array(sign(null, voteSignBytes('vec-1', { ...precommit, blockId }), privateKey)),
    }),
  ],
});

describe('test vectors of', () => {
  it('address and validators hash', () => {
    expect(upperHex(contents.proposerAddress)).toBe('80E4E710305EDDC4FA1EF34AEBF24FD3C0534BA9');
    expect(upperHex(validatorSetHash(nodeCrypto, validators))).toBe(
      '000DB6E5DF62A90449345026B355DEBA60C571FB401DC2EBC3A002B9656244AB',
    );
  });

  it('consensus params hash', () => {
    const limited = create(ConsensusParamsSchema, {
      block: create(BlockParamsSchema, { maxBytes: 22_020_096n, maxGas: 10_000_000n }),
    });
    expect(upperHex(consensusParamsHash(nodeCrypto, consensusParams))).toBe(
      '048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F',
    );
    expect(upperHex(consensusParamsHash(nodeCrypto, limited))).toBe(
      '7D0B88F8835DB6E92EC4E959CCD9324052C68794BC42567CFA45FB176ED6679A',
    );
  });

  it('data hash, block hash, size and parts of the first block', () => {
    expect(upperHex(dataHash(nodeCrypto, [utf8('a=1')]))).toBe(
      '7778CFAC4700AF4B8B290EC790B8F540437311DBD532A13017458A4D207369D0',
    );
    expect(upperHex(blockId.hash)).toBe('EB6B065709E580B3992A91D44A5EA6CE7C868F6030BBB074BFF0303375671FA0');
    expect(size).toBe(321);
    expect(blockId.partSetHeader).toMatchObject({ total: 1 });
    expect(upperHex(blockId.partSetHeader?.hash ?? new Uint8Array())).toBe(
      '684B1591DEBF599788E1BE86A69D9B0D37F70D5F29534BEA7612722AECD947B0',
    );
    expect(upperHex(encodeBlock(block1)).endsWith('22041A021200')).toBe(true);
  });

  it('sign bytes of a precommit for the block and for nil', () => {
    expect(upperHex(voteSignBytes('vec-1', { ...precommit, blockId })).toLowerCase()).toMatch(
      /^69080211010000000000000022480a20eb6b0657[0-9a-f]+671fa0122408011220684b1591[0-9a-f]+47b02a0b08a6facdac0610959aef3a32057665632d31$/,
    );
    expect(upperHex(voteSignBytes('vec-1', { ...precommit, blockId: undefined })).toLowerCase()).toBe(
      '1f08021101000000000000002a0b08a6facdac0610959aef3a32057665632d31',
    );
    expect(toBase64(commit1.signatures[0]?.signature ?? new Uint8Array())).toBe(
      '0FojOvDokM42zEvlJgCusg74aH/zGG8ynetzV6rRwrZlZWbSWy818BFAQvNtEMoALw42DHh/mmiD9MTcnUECDg==',
    );
  });

  it('commit hash and header hash of the second block', () => {
    expect(upperHex(commitHash(nodeCrypto, commit1))).toBe(
      '792A67F168D5511220F412A45382DA85F63140A4B4D6016F8DB1F4305B351B79',
    );
    const block2 = makeBlock(nodeCrypto, {
      ...contents,
      height: toHeight(2n),
      time: voteTime,
      txs: [],
      lastCommit: commit1,
      lastBlockId: blockId,
      appHash: fromHex('0200000000000000'),
      lastResultsHash: resultsHash(nodeCrypto, resultsOf([create(ExecTxResultSchema)])),
    });
    expect(block2.header && upperHex(headerHash(nodeCrypto, block2.header))).toBe(
      '6EF0D1DAE4DD0F5DE75D64E4604F41640009C2007D2980E49EA201660F71BAC2',
    );
  });

  it('hashes of absent signatures and of transaction results', () => {
    const absent = create(CommitSigSchema, { blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT });
    const written = toBinary(CommitSigSchema, { ...absent, timestamp: toTimestamp(GO_ZERO_TIME) });
    expect(upperHex(written)).toBe('08011A0B088092B8C398FEFFFFFF01');
    expect(commitHash(nodeCrypto, create(CommitSchema, { signatures: [absent] }))).toEqual(
      leafHash(nodeCrypto, written),
    );
    const results = [
      create(ExecTxResultSchema, { data: Uint8Array.of(1, 2), gasWanted: 100n, gasUsed: 7n, log: 'not hashed' }),
      create(ExecTxResultSchema, { code: 5, gasWanted: 200n, codespace: 'not hashed' }),
    ];
    expect(upperHex(resultsHash(nodeCrypto, resultsOf([create(ExecTxResultSchema)])))).toBe(
      '6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D',
    );
    expect(upperHex(resultsHash(nodeCrypto, resultsOf(results)))).toBe(
      '8660CB4EE6F5BF7F259DD3E8EC49DED78DB2EC92EE243721307389B60BDD8188',
    );
    expect(upperHex(resultsHash(nodeCrypto, NO_RESULTS))).toBe(EMPTY_TREE);
  });
});

describe('verifyCommit', () => {
  const verify = (commit: typeof commit1, height = 1n, chainId = 'vec-1') =>
    verifyCommit(nodeCrypto, chainId, validators, blockId, height, commit);

  it('accepts a signed commit and returns its power', () => {
    expect(verify(commit1)).toEqual({ ok: true, power: 10n });
  });

  it.each([
    ['another height', () => verify(commit1, 2n), /wrong height/],
    ['another chain', () => verify(commit1, 1n, 'vec-2'), /wrong signature/],
    [
      'another block',
      () => verify(create(CommitSchema, { height: 1n, signatures: commit1.signatures })),
      /wrong block ID/,
    ],
    ['too few signatures', () => verify({ ...commit1, signatures: [] }), /wrong set size/],
    [
      'power of two thirds or less',
      () =>
        verify({
          ...commit1,
          signatures: [create(CommitSigSchema, { blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT })],
        }),
      /insufficient voting power/,
    ],
  ])('refuses %s', (_, attempt, reason) => {
    const result = attempt();
    expect(result.ok ? '' : result.reason).toMatch(reason);
  });
});

describe('Merkle tree', () => {
  const leaves = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 40 });

  it('has proofs that verify for their own leaf and index only', () => {
    fc.assert(
      fc.property(leaves, (items) => {
        const { root, proofs } = merkleProofs(nodeCrypto, items);
        expect(root).toEqual(merkleRoot(nodeCrypto, items));
        for (const [index, proof] of proofs.entries()) {
          expect(verifyMerkleProof(nodeCrypto, root, proof, items[index] ?? new Uint8Array())).toBe(true);
          expect(verifyMerkleProof(nodeCrypto, root, proof, Uint8Array.of(...(items[index] ?? []), 1))).toBe(false);
          expect(
            verifyMerkleProof(nodeCrypto, root, { ...proof, index: proof.total }, items[index] ?? new Uint8Array()),
          ).toBe(false);
        }
      }),
    );
  });
});

describe('time', () => {
  it.each([
    ['0001-01-01T00:00:00Z', GO_ZERO_TIME],
    ['1970-01-01T00:00:00Z', toTimeNs(0n)],
    ['1969-12-31T23:59:59.999999999Z', toTimeNs(-1n)],
    ['2026-11-20T15:39:26.16253872Z', toTimeNs(1_795_189_166_162_538_720n)],
    ['2024-01-02T03:04:05.6789Z', toTimeNs(1_704_164_645_678_900_000n)],
  ])('%s is formatted and parsed as in Go', (text, time) => {
    expect(formatTime(time)).toBe(text);
    expect(parseTime(text)).toBe(time);
  });

  it('survives formatting and conversion to timestamps from year 1 to 9999', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: GO_ZERO_TIME, max: 253_402_300_799_999_999_999n }), (nanos) => {
        const time = toTimeNs(nanos);
        expect(parseTime(formatTime(time))).toBe(time);
        expect(fromTimestamp(toTimestamp(time))).toBe(time);
        expect(toTimestamp(time).nanos).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is parsed with a zone offset, and malformed text is refused', () => {
    expect(parseTime('1970-01-01T02:00:00.5+02:00')).toBe(500_000_000n);
    for (const text of [
      '',
      '2024',
      '2024-01-02',
      '2024-13-02T00:00:00Z',
      '2024-01-02T03:04:05',
      '2024-01-02T03:04:05.1234567890Z',
    ]) {
      expect(parseTime(text)).toBeUndefined();
    }
  });
});

it('the address of a secp256k1 key is its hash160, as in Bitcoin', () => {
  // Generator point; its hash160 is widely known.
  const key = fromHex('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  expect(upperHex(addressOf(nodeCrypto, create(PublicKeySchema, { sum: { case: 'secp256k1', value: key } })))).toBe(
    '751E76E8199196D454941C45D1B3A323F1433BD6',
  );
});

it('base64 of bytes of any length equals that of Buffer and decodes to the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.constantFrom(0, 8_191, 8_192, 16_385), (tail, length) => {
      const bytes = Uint8Array.of(...new Uint8Array(length).fill(255), ...tail);
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(Buffer.from(fromBase64(toBase64(bytes))).equals(bytes)).toBe(true);
    }),
  );
});
