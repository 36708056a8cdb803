import type { Clock } from '../../src/core/ports/time.js';
import type {
  BlockDecidedV1,
  BlockDecidedV3,
  BlockDecidedV2,
  BlockExecutedLocally,
  BlockExecutedExternally,
  ChainStarted,
  FilterCreated,
  FilterRemoved,
  NodeStarted,
  Reverted,
  SnapshotRestored,
  SnapshotRestoredV1,
  SnapshotTaken,
  TimeShifted,
  TxAdmitted,
  TxDropped,
  UpgradeHalted,
} from '../../src/core/log-events.js';
import { emptyBlockId } from '../../src/core/comet/complete.js';
import { toHeight, toPosition, toTimeNs } from '../../src/core/primitives.js';
import { type BlockID, SignedMsgType, type Vote } from '../../src/core/proto/tendermint/types/types_pb.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { ByteWriter } from '../../src/store/bytes.js';

/** Takes a fifth of the time of hash objects. */
export const crypto = createPureCrypto();

/** A clock that moves one second per reading. */
export function steppingClock(): Clock {
  let now = 1_700_000_000_000_000_000n;
  return { now: () => toTimeNs((now += 1_000_000_000n)) };
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hashOf = (value: string): Uint8Array => crypto.sha256(text(value));
export const bytesOf = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

/** A block in the encoding of tendermint.types.Block: header, data with `txs`, evidence. */
export function blockBytes(txs: readonly Uint8Array[], header = 'header'): Uint8Array {
  const data = new ByteWriter();
  for (const tx of txs) {
    data.byte(0x0a);
    data.bytes(tx);
  }
  const block = new ByteWriter();
  block.byte(0x0a);
  block.bytes(text(header));
  block.byte(0x12);
  block.bytes(data.finish());
  block.byte(0x1a);
  block.bytes(text(''));
  return block.finish();
}

export const chainStarted = (): ChainStarted => ({
  type: 'ChainStarted',
  v: 1,
  data: {
    chainId: 'chronicle_271828-1',
    evmChainId: 271828n,
    bech32Prefix: 'chron',
    preset: 'chronicle',
    genesis: text('{"chain_id":"chronicle_271828-1"}'),
    initialHeight: toHeight(1n),
    validators: bytesOf(10, 0),
    consensusParams: bytesOf(10, 4, 8, 1, 16, 2),
    writes: [
      { store: 'acc', key: text('account/1'), value: text('one') },
      { store: 'acc', key: text('account/2'), value: text('two') },
      { store: 'bank', key: text('balance'), value: bytesOf() },
    ],
  },
});

export const decided = (height: bigint, txs: readonly Uint8Array[] = [text(`tx-${height}`)]): BlockDecidedV1 => ({
  type: 'BlockDecided',
  v: 1,
  data: {
    height: toHeight(height),
    block: blockBytes(txs, `header ${height}`),
    commit: text(`commit ${height}`),
    trace: [{ type: 'NewRound', value: `{"height":"${height}"}` }],
  },
});

/** A decision with the notices of its rounds: each kind of block id and of address. */
export const decidedWithNotices = (height: bigint): BlockDecidedV3 => {
  const place = { height: toHeight(height), round: 1, step: 'Propose' } as const;
  const hash = new Uint8Array(32).fill(7);
  const blockId: BlockID = {
    $typeName: 'tendermint.types.BlockID',
    hash,
    partSetHeader: { $typeName: 'tendermint.types.PartSetHeader', total: 1, hash },
  };
  const vote = {
    $typeName: 'tendermint.types.Vote',
    type: SignedMsgType.PREVOTE,
    height,
    round: 1,
    blockId,
    timestamp: { $typeName: 'google.protobuf.Timestamp', seconds: 1_700_000_000n, nanos: 7 },
    validatorAddress: new Uint8Array(20).fill(1),
    validatorIndex: 0,
    signature: new Uint8Array(64).fill(2),
    extension: new Uint8Array(0),
    extensionSignature: new Uint8Array(0),
  } satisfies Vote;
  return {
    type: 'BlockDecided',
    v: 3,
    data: {
      height: toHeight(height),
      block: blockBytes([text('one'), text('two')], `header ${height}`),
      commit: text(`commit ${height}`),
      trace: [
        { type: 'NewRoundStep', place: { ...place, step: 'NewHeight' } },
        { type: 'NewRound', place, proposer: { address: vote.validatorAddress, index: 0 } },
        { type: 'CompleteProposal', place, blockId },
        { type: 'Vote', vote },
        { type: 'Vote', vote: { ...vote, validatorAddress: new Uint8Array(20).fill(3), validatorIndex: 1 } },
        { type: 'Vote', vote: { ...vote, type: SignedMsgType.PRECOMMIT, blockId: emptyBlockId() } },
      ],
    },
  };
};

export const executed = (height: bigint, upgradeHeight?: bigint): BlockExecutedLocally => ({
  type: 'BlockExecuted',
  v: 1,
  data: {
    height: toHeight(height),
    results: text(`results ${height}`),
    writes: [
      { store: 'bank', key: text('balances/alice'), value: text(`${height * 2n}`) },
      { store: 'bank', key: text('balances/bob'), value: undefined },
      { store: 'evm', key: bytesOf(0), value: bytesOf(1, 2, 3) },
    ],
    upgradeHeight: upgradeHeight === undefined ? undefined : toHeight(upgradeHeight),
  },
});

const touched = [
  { index: 1, addresses: [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)] },
  { index: 4, addresses: [new Uint8Array(20).fill(2)] },
];

export const executedTouching = (height: bigint): BlockExecutedLocally => ({
  type: 'BlockExecuted',
  v: 3,
  data: { ...executed(height).data, touched },
});

export const executedOutsideTouching = (height: bigint): BlockExecutedExternally => ({
  type: 'BlockExecuted',
  v: 4,
  data: { ...executedExternally(height).data, touched },
});

export const decidedExternally = (height: bigint): BlockDecidedV2 => ({
  type: 'BlockDecided',
  v: 2,
  data: {
    height: toHeight(height),
    block: blockBytes([text('one'), text('two')], `header ${height}`),
    hash: text(`hash ${height}`),
    lastCommit: text(`votes before ${height}`),
    misbehavior: [text('offence')],
  },
});

export const executedExternally = (height: bigint): BlockExecutedExternally => ({
  type: 'BlockExecuted',
  v: 2,
  data: { ...executed(height).data, appHash: text(`app hash ${height}`) },
});

export const admitted = (tx: string, left: readonly string[] = []): TxAdmitted => ({
  type: 'TxAdmitted',
  v: 2,
  data: { tx: text(tx), left: left.map((name) => hashOf(name)) },
});
export const dropped = (...txs: readonly string[]): TxDropped => ({
  type: 'TxDropped',
  v: 1,
  data: { hashes: txs.map((name) => hashOf(name)) },
});
export const nodeStarted = (): NodeStarted => ({
  type: 'NodeStarted',
  v: 1,
  data: { version: '0.1.0', appVersion: 'v1', skipUpgradeHeights: [toHeight(7n), toHeight(9n)] },
});
export const upgradeHalted = (): UpgradeHalted => ({
  type: 'UpgradeHalted',
  v: 1,
  data: { name: 'v2', height: toHeight(9n), info: '{}' },
});
export const filterCreated = (): FilterCreated => ({
  type: 'FilterCreated',
  v: 1,
  data: {
    id: new Uint8Array(16).fill(7),
    criteria: {
      kind: 'logs',
      criteria: {
        fromBlock: toHeight(0n),
        toBlock: undefined,
        addresses: [new Uint8Array(20).fill(1)],
        topics: [[], [new Uint8Array(32).fill(2), new Uint8Array(32).fill(3)]],
      },
    },
    height: toHeight(9n),
    position: toPosition(30n),
  },
});
export const filterRemoved = (): FilterRemoved => ({
  type: 'FilterRemoved',
  v: 1,
  data: { id: new Uint8Array(16).fill(7), reason: 'expired' },
});
export const timeShifted = (): TimeShifted => ({ type: 'TimeShifted', v: 1, data: { shift: -3_600_000_000_001n } });
export const snapshotTaken = (): SnapshotTaken => ({
  type: 'SnapshotTaken',
  v: 1,
  data: { id: 3n, height: toHeight(12n) },
});
export const snapshotRestored = (): SnapshotRestoredV1 => ({
  type: 'SnapshotRestored',
  v: 1,
  data: {
    height: toHeight(40n),
    appHash: text('app hash 40'),
    time: toTimeNs(1_700_000_040_000_000_000n),
    blockHash: text('hash 40'),
    validators: text('validators of 41'),
    nextValidators: text('validators of 42'),
    consensusParams: text('parameters of 41'),
    upgradeHeight: toHeight(50n),
    format: 3,
    chunks: [text('first chunk'), text('second chunk')],
  },
});
export const snapshotRestoredHere = (): SnapshotRestored => ({
  type: 'SnapshotRestored',
  v: 2,
  data: {
    ...snapshotRestored().data,
    head: {
      header: text('header 40'),
      blockId: text('block id 40'),
      commit: text('commit 40'),
      lastValidators: text('validators of 40'),
      lastResultsHash: text('hash of the results of 40'),
      record: text('hash of a record'),
    },
  },
});
export const reverted = (height: bigint): Reverted => ({
  type: 'Reverted',
  v: 1,
  data: { toHeight: toHeight(height), snapshot: 3n },
});

export const txHash = (tx: Uint8Array): Uint8Array => crypto.sha256(tx);
export const blockHash = (height: bigint): Uint8Array => crypto.sha256(text(`block ${height}`));

/** All items of an async iterable. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
