/** `log verify --execute`: a log whose checks all match and whose content differs from its execution. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from 'vitest';
import { dataHash } from '../../../src/core/comet/body-hash.js';
import { encodeBlock } from '../../../src/core/comet/part-set.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import type { BlockDecidedV3, BlockExecutedLocally, LogEvent, Recorded } from '../../../src/core/log-events.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { ResponseFinalizeBlockSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { MemoryStore } from '../../support/memory-store.js';
import { reopenable } from '../../support/reopenable.js';
import { crypto } from '../../core/app/support.js';
import { derivedRows, replayLog } from '../../support/replay-log.js';
import { send, simulate } from '../../node/simulated-node.js';

const HEIGHTS = 8n;

let original: readonly (readonly Recorded[])[];
let rows: readonly string[];
let rowsReplayed: readonly string[];
let appHash: string;

beforeAll(async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  for (let height = 1n; height <= HEIGHTS; height += 1n) {
    await simulated.node.api.commands.broadcastTx(send(0, 1, height, height - 1n));
    await simulated.mineTo(height);
  }
  appHash = upperHex(simulated.node.api.queries.chain.head().appHash);
  await simulated.node.stop();
  const log = await openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
  const records: (readonly Recorded[])[] = [];
  for await (const events of log.read({ from: toPosition(1n) })) records.push(events);
  original = records;
  rows = await derivedRows(store);
  rowsReplayed = await derivedRows((await replayLog({ log, store }, crypto)).store);
});

/** A log written through the store's own API, with the events of the chain as changed by `tamper`. */
async function logOf(tamper: (event: LogEvent) => LogEvent): Promise<EventLog> {
  const log = await openEventLog({ store: new MemoryStore(), crypto, clock: { now: () => toTimeNs(1n) }, sync: 'os' });
  for (const events of original) await log.append(events.map(({ event }) => ({ event: tamper(event) })));
  expect((await log.verifyAll()).problems.filter(({ problem }) => !/hash row/.test(problem))).toEqual([]);
  return log;
}

async function firstDisagreement(tamper: (event: LogEvent) => LogEvent) {
  const log = await logOf(tamper);
  const { disagreements } = await reExecute(log.read({ from: toPosition(1n) }), crypto);
  return disagreements[0];
}

/** Position of the event of a height. */
function positionOf(type: LogEvent['type'], height: bigint): bigint | undefined {
  return original
    .flat()
    .find(({ event }) => event.type === type && 'height' in event.data && event.data.height === height)?.position;
}

const executedAt =
  (height: bigint, change: (data: BlockExecutedLocally['data']) => BlockExecutedLocally['data']) =>
  (event: LogEvent): LogEvent =>
    event.type === 'BlockExecuted' && event.v === 1 && event.data.height === height
      ? { ...event, data: change(event.data) }
      : event;
const decidedAt =
  (height: bigint, change: (data: BlockDecidedV3['data']) => BlockDecidedV3['data']) =>
  (event: LogEvent): LogEvent =>
    event.type === 'BlockDecided' && event.v === 3 && event.data.height === height
      ? { ...event, data: change(event.data) }
      : event;

describe('an untouched log', () => {
  it('is executed again to the last app hash', async () => {
    const log = await logOf((event) => event);
    const { blocks, state, disagreements } = await reExecute(log.read({ from: toPosition(1n) }), crypto);
    expect({ blocks, appHash: upperHex(state?.appHash ?? new Uint8Array()), disagreements }).toEqual({
      blocks: Number(HEIGHTS),
      appHash,
      disagreements: [],
    });
  });

  it('gives the database that its node wrote', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rowsReplayed).toEqual(rows);
  });
});

describe('log verify --execute on a tampered log', () => {
  it('names position and height of a state write with another value', async () => {
    const found = await firstDisagreement(
      executedAt(5n, (data) => ({
        ...data,
        writes: data.writes.map((write, index) => (index === 2 ? { ...write, value: Uint8Array.of(7) } : write)),
      })),
    );
    expect(found).toMatchObject({ position: positionOf('BlockExecuted', 5n), height: 5n });
    expect(found?.problem).toMatch(/^state write 3: the log says .* = 07, execution gives /i);
  });

  it('names position and height of a block with a state write too many, or too few', async () => {
    const extra = { store: 'bank', key: Uint8Array.of(0xff), value: Uint8Array.of(1) };
    expect(
      await firstDisagreement(executedAt(3n, (data) => ({ ...data, writes: [...data.writes, extra] }))),
    ).toMatchObject({
      position: positionOf('BlockExecuted', 3n),
      height: 3n,
      problem: expect.stringMatching(/execution gives none$/),
    });
    expect(
      await firstDisagreement(executedAt(3n, (data) => ({ ...data, writes: data.writes.slice(0, -1) }))),
    ).toMatchObject({
      height: 3n,
      problem: expect.stringMatching(/the log says none, /),
    });
  });

  it('names position and height of a result with another gas use', async () => {
    const found = await firstDisagreement(
      executedAt(4n, (data) => {
        const results = fromBinary(ResponseFinalizeBlockSchema, data.results);
        for (const result of results.txResults) result.gasUsed += 1n;
        return { ...data, results: toBinary(ResponseFinalizeBlockSchema, results) };
      }),
    );
    expect(found).toMatchObject({
      position: positionOf('BlockExecuted', 4n),
      height: 4n,
      problem: expect.stringMatching(/^results: /),
    });
  });

  it('names position and height of a header with another app hash', async () => {
    const found = await firstDisagreement(
      decidedAt(6n, (data) => {
        const block = fromBinary(BlockSchema, data.block);
        if (block.header !== undefined) block.header.appHash = new Uint8Array(32);
        return { ...data, block: encodeBlock(block) };
      }),
    );
    expect(found).toMatchObject({
      position: positionOf('BlockDecided', 6n),
      height: 6n,
      problem: expect.stringMatching(/^app hash in the header: /),
    });
  });

  it('names position and height of a transaction with a wrong signature, which admission did not check', async () => {
    const found = await firstDisagreement(
      decidedAt(4n, (data) => {
        const block = fromBinary(BlockSchema, data.block);
        const txs = (block.data?.txs ?? []).map((bytes) => {
          const tx = fromBinary(TxRawSchema, bytes);
          return toBinary(TxRawSchema, {
            ...tx,
            signatures: tx.signatures.map((signature) => signature.with(40, (signature[40] ?? 0) ^ 1)),
          });
        });
        if (block.data !== undefined) block.data.txs = txs;
        if (block.header !== undefined) block.header.dataHash = dataHash(crypto, txs);
        return { ...data, block: encodeBlock(block) };
      }),
    );
    expect(found).toMatchObject({ position: positionOf('BlockExecuted', 4n), height: 4n });
  });

  it('names position and height of a changed genesis write', async () => {
    const found = await firstDisagreement((event) =>
      event.type === 'ChainStarted' ? { ...event, data: { ...event.data, writes: event.data.writes.slice(1) } } : event,
    );
    expect(found).toMatchObject({ position: 1n, height: 0n, problem: expect.stringMatching(/^state write 1: /) });
  });

  it('names position and height of an upgrade height that the state does not have', async () => {
    const found = await firstDisagreement(executedAt(2n, (data) => ({ ...data, upgradeHeight: toHeight(90n) })));
    expect(found).toMatchObject({ height: 2n, problem: 'next upgrade: the log says 90, execution gives none' });
  });
});
