import fc from 'fast-check';
import type { Touched } from '../../src/core/evm/touched.js';
import type { LogEvent, Recorded } from '../../src/core/log-events.js';
import { emptyBlockId } from '../../src/core/comet/complete.js';
import { toTimestamp } from '../../src/core/comet/time.js';
import type { ConsensusNotice, RoundStateNoticeType } from '../../src/core/consensus/notices.js';
import type { Step } from '../../src/core/consensus/round-step.js';
import type { FilterCriteria } from '../../src/core/ethereum/api.js';
import { STREAM_OF } from '../../src/core/log-events.js';
import { type Height, toHeight, toPosition, toTimeNs } from '../../src/core/primitives.js';
import { type BlockID, SignedMsgType, type Vote } from '../../src/core/proto/tendermint/types/types_pb.js';
import type { StateWrite } from '../../src/core/state/state.js';
import { blockBytes } from './support.js';

const bytes = fc.uint8Array({ maxLength: 40 });
const unicode = fc.string({ unit: 'grapheme', maxLength: 12 });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const height = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(toHeight);
const writes: fc.Arbitrary<StateWrite[]> = fc.array(
  fc.record({ store: fc.constantFrom('acc', 'bank', 'evm'), key: bytes, value: fc.option(bytes, { nil: undefined }) }),
  { maxLength: 6 },
);
const block = fc.oneof(
  fc.array(bytes, { maxLength: 4 }).map((txs) => blockBytes(txs)),
  bytes,
);

const bound = fc.option(height, { nil: undefined });
const filterCriteria: fc.Arbitrary<FilterCriteria> = fc.oneof(
  fc.constantFrom<FilterCriteria>({ kind: 'block' }, { kind: 'pending' }),
  fc
    .record({
      fromBlock: bound,
      toBlock: bound,
      addresses: fc.array(bytes, { maxLength: 3 }),
      topics: fc.array(fc.array(bytes, { maxLength: 3 }), { maxLength: 4 }),
    })
    .map((criteria): FilterCriteria => ({ kind: 'logs', criteria })),
);

const place = fc.record({
  round: fc.nat(),
  step: fc.constantFrom<Step>(
    'NewHeight',
    'NewRound',
    'Propose',
    'Prevote',
    'PrevoteWait',
    'Precommit',
    'PrecommitWait',
    'Commit',
  ),
});
const touched: fc.Arbitrary<Touched[]> = fc
  .array(
    fc.record({
      step: fc.nat(9),
      addresses: fc.array(fc.uint8Array({ minLength: 20, maxLength: 20 }), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  )
  .map((steps) => {
    let index = 0;
    return steps.map(({ step, addresses }) => ({ index: (index += step), addresses }));
  });
const someBytes = fc.constantFrom(...[0, 1, 2].map((byte) => new Uint8Array(20).fill(byte)));
const blockId: fc.Arbitrary<BlockID> = fc.oneof(
  fc.constant(undefined).map(emptyBlockId),
  fc.record({ hash: someBytes, total: fc.integer({ min: 1, max: 2 }) }).map(({ hash, total }): BlockID => ({
    $typeName: 'tendermint.types.BlockID',
    hash,
    partSetHeader: { $typeName: 'tendermint.types.PartSetHeader', total, hash },
  })),
);
const vote: fc.Arbitrary<Vote> = fc
  .record({
    type: fc.constantFrom(SignedMsgType.PREVOTE, SignedMsgType.PRECOMMIT),
    height,
    round: fc.nat(),
    blockId,
    timestamp: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map((time) => toTimestamp(toTimeNs(time))),
    validatorAddress: someBytes,
    validatorIndex: fc.nat(),
    signature: bytes,
    extension: bytes,
    extensionSignature: bytes,
  })
  .map((fields): Vote => ({ $typeName: 'tendermint.types.Vote', ...fields }));
/** The notices of one height's rounds. */
const trace = (of: Height): fc.Arbitrary<ConsensusNotice[]> => {
  const placed = place.map((one) => ({ ...one, height: of }));
  return fc.array(
    fc.oneof(
      fc.record({
        type: fc.constantFrom<RoundStateNoticeType>(
          'NewRoundStep',
          'Polka',
          'Lock',
          'Relock',
          'Unlock',
          'ValidBlock',
          'TimeoutPropose',
          'TimeoutWait',
        ),
        place: placed,
      }),
      fc.record({
        type: fc.constant('NewRound' as const),
        place: placed,
        proposer: fc.record({ address: someBytes, index: fc.nat() }),
      }),
      fc.record({ type: fc.constant('CompleteProposal' as const), place: placed, blockId }),
      fc.record({ type: fc.constant('Vote' as const), vote }),
    ),
    { maxLength: 12 },
  );
};

const arbitraryRestored = fc.record({
  height,
  appHash: bytes,
  time: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map(toTimeNs),
  blockHash: bytes,
  validators: bytes,
  nextValidators: bytes,
  consensusParams: bytes,
  upgradeHeight: fc.option(height, { nil: undefined }),
  format: fc.nat(),
  chunks: fc.array(bytes, { maxLength: 3 }),
});

const arbitraryHead = fc.record({
  header: bytes,
  blockId: bytes,
  commit: bytes,
  lastValidators: bytes,
  lastResultsHash: bytes,
  record: bytes,
});

/** Any event of any type, including events that no chain would contain. */
export const arbitraryEvent: fc.Arbitrary<LogEvent> = fc.oneof(
  fc
    .record({
      chainId: unicode,
      evmChainId: u64,
      bech32Prefix: unicode,
      preset: unicode,
      genesis: bytes,
      initialHeight: height,
      validators: bytes,
      consensusParams: bytes,
      writes,
    })
    .map((data): LogEvent => ({ type: 'ChainStarted', v: 1, data })),
  fc
    .record({
      height,
      block,
      commit: bytes,
      trace: fc.array(fc.record({ type: unicode, value: unicode }), { maxLength: 3 }),
    })
    .map((data): LogEvent => ({ type: 'BlockDecided', v: 1, data })),
  fc
    .record({ height, results: bytes, writes, upgradeHeight: fc.option(height, { nil: undefined }) })
    .map((data): LogEvent => ({ type: 'BlockExecuted', v: 1, data })),
  fc
    .record({ height, block, hash: bytes, lastCommit: bytes, misbehavior: fc.array(bytes, { maxLength: 3 }) })
    .map((data): LogEvent => ({ type: 'BlockDecided', v: 2, data })),
  height
    .chain((of) => fc.record({ height: fc.constant(of), block, commit: bytes, trace: trace(of) }))
    .map((data): LogEvent => ({ type: 'BlockDecided', v: 3, data })),
  fc
    .record({ height, results: bytes, writes, upgradeHeight: fc.option(height, { nil: undefined }), appHash: bytes })
    .map((data): LogEvent => ({ type: 'BlockExecuted', v: 2, data })),
  fc
    .record({ height, results: bytes, writes, upgradeHeight: fc.option(height, { nil: undefined }), touched })
    .map((data): LogEvent => ({ type: 'BlockExecuted', v: 3, data })),
  fc
    .record({
      height,
      results: bytes,
      writes,
      upgradeHeight: fc.option(height, { nil: undefined }),
      appHash: bytes,
      touched,
    })
    .map((data): LogEvent => ({ type: 'BlockExecuted', v: 4, data })),
  fc
    .record({ tx: bytes, left: fc.array(bytes, { maxLength: 3 }) })
    .map((data): LogEvent => ({ type: 'TxAdmitted', v: 2, data })),
  fc.record({ hashes: fc.array(bytes, { maxLength: 3 }) }).map((data): LogEvent => ({ type: 'TxDropped', v: 1, data })),
  fc.record({ name: unicode, height, info: unicode }).map((data): LogEvent => ({ type: 'UpgradeHalted', v: 1, data })),
  fc
    .record({ version: unicode, appVersion: unicode, skipUpgradeHeights: fc.array(height, { maxLength: 3 }) })
    .map((data): LogEvent => ({ type: 'NodeStarted', v: 1, data })),
  fc
    .record({ id: bytes, criteria: filterCriteria, height, position: u64.map(toPosition) })
    .map((data): LogEvent => ({ type: 'FilterCreated', v: 1, data })),
  fc
    .record({ id: bytes, reason: fc.constantFrom('uninstalled', 'expired') })
    .map((data): LogEvent => ({ type: 'FilterRemoved', v: 1, data })),
  fc
    .record({ shift: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }) })
    .map((data): LogEvent => ({ type: 'TimeShifted', v: 1, data })),
  fc.record({ id: u64, height }).map((data): LogEvent => ({ type: 'SnapshotTaken', v: 1, data })),
  arbitraryRestored.map((data): LogEvent => ({ type: 'SnapshotRestored', v: 1, data })),
  fc
    .record({ state: arbitraryRestored, head: arbitraryHead })
    .map(({ state, head }): LogEvent => ({ type: 'SnapshotRestored', v: 2, data: { ...state, head } })),
  fc.record({ toHeight: height, snapshot: u64 }).map((data): LogEvent => ({ type: 'Reverted', v: 1, data })),
);

/** Events as the log keeps them, with contiguous positions from any start. */
export const arbitraryBatch: fc.Arbitrary<[Recorded, ...Recorded[]]> = fc
  .record({
    first: fc.bigInt({ min: 1n, max: 2n ** 40n }),
    items: fc.array(
      fc.record({
        event: arbitraryEvent,
        cause: unicode,
        time: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
        streamPosition: u64,
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ first, items }) =>
    items.map((item, index): Recorded => ({
      position: toPosition(first + BigInt(index)),
      stream: STREAM_OF[item.event.type],
      streamPosition: item.streamPosition,
      time: toTimeNs(item.time),
      cause: item.cause,
      event: item.event,
    })),
  )
  .filter((batch): batch is [Recorded, ...Recorded[]] => batch.length > 0);
