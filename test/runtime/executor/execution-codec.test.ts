import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import type { FinalizeBlockRequest } from '../../../src/core/application.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { ExecTxResultSchema, EventSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import {
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
} from '../../../src/runtime/executor/execution-codec.js';
import type { ExecutorReply, ExecutorRequest } from '../../../src/runtime/executor/protocol.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { ByteWriter } from '../../../src/store/bytes.js';
import { packWrites } from '../../../src/store/state-writes.js';

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);
const request: FinalizeBlockRequest = {
  height: toHeight(7n),
  time: toTimeNs(-1n),
  chainId: 'chronicle_271828-1',
  hash: filled(32, 1),
  proposerAddress: filled(20, 2),
  nextValidatorsHash: filled(32, 3),
  lastCommitRound: 300,
  lastCommitVotes: [
    { address: filled(20, 4), power: 1n << 62n, flag: 'commit' },
    { address: filled(20, 5), power: 1n, flag: 'absent' },
    { address: filled(20, 8), power: 2n, flag: 'nil' },
  ],
  previousAppHash: filled(32, 9),
  misbehavior: [
    {
      kind: 'light client attack',
      address: filled(20, 4),
      power: 3n,
      height: toHeight(5n),
      time: toTimeNs(-2n),
      totalVotingPower: 1n << 62n,
    },
  ],
  txs: [filled(300, 6), new Uint8Array(0), filled(1, 7)],
  verified: new Set([0, 2]),
};

const facts = {
  txResults: [create(ExecTxResultSchema, { code: 5, log: 'no', gasUsed: 21_000n, data: filled(3, 9) })],
  events: [create(EventSchema, { type: 'tx', attributes: [{ key: 'fee', value: '1achr', index: true }] })],
  validatorUpdates: [],
  consensusParamUpdates: create(ConsensusParamsSchema, { block: { maxBytes: 1n, maxGas: -1n } }),
};

function executed(changes: {
  readonly upgradeHeight?: bigint;
  readonly upgradeApplied?: string;
  readonly appHash?: Uint8Array;
}): ExecutorReply {
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
      upgradeApplied: changes.upgradeApplied,
    },
    appHash: changes.appHash,
  };
}

describe('messages of the executor', () => {
  it('a block to execute arrives as it left', () => {
    const envelope = { id: 70_000, body: { kind: 'execute', request } } as const;
    expect(decodeRequest(encodeRequest(envelope))).toEqual(envelope);
    const { verified: _, ...unverified } = request;
    expect(decodeRequest(encodeRequest({ id: 1, body: { kind: 'execute', request: unverified } })).body).toEqual({
      kind: 'execute',
      request: { ...unverified, verified: new Set() },
    });
  });

  it('a proposal to prepare arrives as it left', () => {
    const { hash: _hash, verified: _verified, txs: _txs, ...facts } = request;
    const txs = [
      { tx: filled(300, 6), gasLimit: 1n << 40n, verified: true, accounts: [0, 300] },
      { tx: new Uint8Array(0), gasLimit: 0n, verified: false, accounts: [] },
    ];
    const envelope = { id: 70_000, body: { kind: 'prepare', request: { ...facts, txs } } } as const;
    expect(decodeRequest(encodeRequest(envelope))).toEqual(envelope);
    const prepared = { id: 1, body: { kind: 'prepared', result: { kind: 'prepared', taken: [0, 300] } } } as const;
    expect(decodeReply(encodeReply(prepared))).toEqual(prepared);
  });

  it.each([-62_135_596_800n, -1n, 0n, 9_223_372_036n, 18_446_744_073n, 253_402_300_799n])(
    'so does its time, %d s from 1970, which need not fit into 64 bits of nanoseconds',
    (seconds) => {
      const envelope = {
        id: 1,
        body: { kind: 'execute', request: { ...request, time: toTimeNs(seconds * 1_000_000_000n + 999_999_999n) } },
      } as const;
      expect(decodeRequest(encodeRequest(envelope))).toEqual(envelope);
    },
  );

  it('an executed block arrives as it left', () => {
    const replies = [
      executed({}),
      executed({ upgradeHeight: 0n, upgradeApplied: '' }),
      executed({ upgradeHeight: 9n, upgradeApplied: 'v2', appHash: filled(32, 8) }),
    ];
    for (const body of replies) expect(decodeReply(encodeReply({ id: 3, body }))).toEqual({ id: 3, body });
  });

  it('a written value that is kept does not keep the message', () => {
    const { body } = decodeReply(encodeReply({ id: 3, body: executed({}) }));
    const value =
      body.kind === 'executed' && body.result.kind === 'executed' ? body.result.writes[0]?.value : undefined;
    expect(value?.buffer.byteLength).toBe(100);
  });

  it('the log holds the writes of an answer as it would have packed them itself', () => {
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

  it('every other message arrives as it left', () => {
    const requests: readonly ExecutorRequest[] = [
      { kind: 'commit', height: toHeight(2n) },
      { kind: 'replay', height: toHeight(2n), writes: [] },
      { kind: 'checkpoint' },
    ];
    for (const body of requests) expect(decodeRequest(encodeRequest({ id: 4, body }))).toEqual({ id: 4, body });
    const plan = { name: 'v2', height: toHeight(5n), info: '' };
    const replies: readonly ExecutorReply[] = [
      { kind: 'committed', appHash: filled(32, 1) },
      { kind: 'executed', result: { kind: 'halted', plan, reason: 'UPGRADE' }, appHash: undefined },
      { kind: 'failed', message: 'x' },
    ];
    for (const body of replies) expect(decodeReply(encodeReply({ id: 5, body }))).toEqual({ id: 5, body });
  });
});
