import type { Touched } from '../../../src/core/evm/touched.js';
import { create, fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { blockBytes } from '../../../src/core/comet/block-bytes.js';
import type { Decision } from '../../../src/core/consensus/local-validators.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { toHeight } from '../../../src/core/primitives.js';
import { ExecTxResultSchema, EventSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import { CommitSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { decodeReply, encodeReply } from '../../../src/runtime/executor/execution-codec.js';
import type { ExecutorReply } from '../../../src/runtime/executor/protocol.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { ByteWriter } from '../../../src/store/bytes.js';
import { packWrites } from '../../../src/store/codec/state-writes.js';

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);
const facts = {
  txResults: [create(ExecTxResultSchema, { code: 5, log: 'no', gasUsed: 21_000n, data: filled(3, 9) })],
  events: [create(EventSchema, { type: 'tx', attributes: [{ key: 'fee', value: '1achr', index: true }] })],
  validatorUpdates: [],
  consensusParamUpdates: create(ConsensusParamsSchema, { block: { maxBytes: 1n, maxGas: -1n } }),
};

function executed(changes: {
  readonly upgradeHeight?: bigint;
  readonly upgradeApplied?: string;
  readonly touched?: readonly Touched[];
  readonly appHash?: Uint8Array;
}) {
  return {
    kind: 'executed',
    result: {
      kind: 'executed',
      results: EncodedResults.of(facts),
      writes: [
        { store: 'acc', key: filled(3, 1), value: filled(100, 2) },
        { store: 'acc', key: filled(4, 1), value: undefined },
        { store: 'bank', key: new Uint8Array(0), value: new Uint8Array(0) },
      ],
      upgradeHeight: changes.upgradeHeight === undefined ? undefined : toHeight(changes.upgradeHeight),
      touched: changes.touched ?? [],
      upgradeApplied: changes.upgradeApplied,
    },
    appHash: changes.appHash,
  } as const;
}

/** A decided block without transactions, behind `before`. */
function made(height: bigint, before?: Decision): Decision {
  const blockId = { hash: filled(32, Number(height)), partSetHeader: { total: 1, hash: filled(32, 2) } };
  const commit = create(CommitSchema, {
    height,
    round: 2,
    blockId,
    signatures: [
      { blockIdFlag: 2, validatorAddress: filled(20, 3), timestamp: { seconds: height }, signature: filled(64, 4) },
    ],
  });
  const encoded = blockBytes(
    create(BlockSchema, {
      header: {
        version: { block: 11n, app: 1n },
        chainId: 'chronicle_271828-1',
        height,
        time: { seconds: -1n, nanos: 999_999_999 },
        lastBlockId: before?.block.blockId ?? { hash: filled(32, 5), partSetHeader: { total: 1, hash: filled(32, 6) } },
        appHash: filled(32, 7),
        proposerAddress: filled(20, 3),
      },
      data: {},
      evidence: {},
      lastCommit: before?.commit ?? { height: height - 1n, blockId: { hash: filled(32, 5), partSetHeader: {} } },
    }),
  );
  const block = fromBinary(BlockSchema, encoded);
  if (commit.blockId === undefined) throw new Error('the commit names a block');
  return {
    height: toHeight(height),
    round: 2,
    block: { block, blockId: commit.blockId, encoded, valid: true },
    commit,
    trace: [],
  };
}

describe('messages of the executor', () => {
  it('blocks of a run are decoded as they were encoded', () => {
    const first = made(7n);
    const { result } = executed({ upgradeHeight: 9n });
    const blocks = [first, made(8n, first)].map((decision) => ({ decision, result, appHash: filled(32, 8) }));
    const body = { kind: 'ran', blocks } as const;
    expect(decodeReply(encodeReply({ id: 3, body }))).toEqual({ id: 3, body });
  });

  it('an executed block is decoded as it was encoded', () => {
    const replies = [
      executed({}),
      executed({ upgradeHeight: 0n, upgradeApplied: '' }),
      executed({ upgradeHeight: 9n, upgradeApplied: 'v2', appHash: filled(32, 8) }),
      executed({
        touched: [
          { index: 1, addresses: [filled(20, 1), filled(20, 2)] },
          { index: 4, addresses: [filled(20, 2)] },
        ],
      }),
    ];
    for (const body of replies) expect(decodeReply(encodeReply({ id: 3, body }))).toEqual({ id: 3, body });
  });

  it('a written value can be kept without keeping the memory of the whole message', () => {
    const { body } = decodeReply(encodeReply({ id: 3, body: executed({}) }));
    const value =
      body.kind === 'executed' && body.result.kind === 'executed' ? body.result.writes[0]?.value : undefined;
    expect(value?.buffer.byteLength).toBe(100);
  });

  it('the packed writes of a reply are the bytes that the log would pack', () => {
    const { body } = decodeReply(encodeReply({ id: 3, body: executed({ appHash: filled(32, 8) }) }));
    const writes = body.kind === 'executed' && body.result.kind === 'executed' ? body.result.writes : [];
    const packed = (of: readonly StateWrite[]): Uint8Array => {
      const to = new ByteWriter();
      packWrites(of, to);
      return to.finish();
    };
    expect(writes.length).toBeGreaterThan(1);
    expect(packed(writes)).toEqual(packed([...writes]));
  });

  it('every other reply is decoded as it was encoded', () => {
    const plan = { name: 'v2', height: toHeight(5n), info: '' };
    const replies: readonly ExecutorReply[] = [
      { kind: 'committed', appHash: filled(32, 1) },
      { kind: 'executed', result: { kind: 'halted', plan, reason: 'UPGRADE' }, appHash: undefined },
      { kind: 'failed', message: 'x' },
    ];
    for (const body of replies) expect(decodeReply(encodeReply({ id: 5, body }))).toEqual({ id: 5, body });
  });
});
