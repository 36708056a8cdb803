/** Positions that the node reports are cursors: clients resume after them. */
import { expect, test } from 'vitest';
import { createPump, createPushEngine, type Delivery } from '../../../src/adapters/push/index.js';
import { ETHEREUM_ENCODING } from '../../../src/adapters/eth-rpc/subscriptions/encoding.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { createPushHistory } from '../../../src/node/push/history.js';
import { cursorAfter } from '../../../src/core/subscriptions/index.js';
import { FakeSocket } from '../../adapters/push/engine-node.js';
import { crypto } from '../../core/app/support.js';
import { devOf, value } from '../dev/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

/** Longer than all steps of one pruning, in milliseconds. */
const PRUNED_MS = 10_000;

/** Subscribes to new heads after a position: the refusal of the node, if any, and the frames of the socket. */
async function resume({ node, time }: SimulatedNode, position: bigint) {
  const limits = DEFAULT_LIMITS;
  const engine = createPushEngine({
    subscriptions: node.subscriptions,
    pump: createPump<Delivery>({ limits, timers: time, clock: time }),
    limits,
    timers: time,
    onDefect(error) {
      throw error;
    },
  });
  const socket = new FakeSocket();
  const answer = await engine.connect(ETHEREUM_ENCODING, socket).subscribe({
    criteria: { kind: 'newHeads', fromBlock: undefined },
    start: { kind: 'cursor', cursor: cursorAfter(toPosition(position)) },
    cursors: true,
    prefix: () => '',
  });
  if (answer.ok) answer.subscription.activate();
  return { refusal: answer.ok ? undefined : answer.refusal.code, frames: socket.frames };
}

test('the head position is a valid cursor for every record type; the next position is refused as ahead', async () => {
  const store = reopenable();
  const first = await simulate({ store });
  await first.mineTo(2n);
  await first.node.stop();

  const simulated = await simulate({ store });
  const { node, time } = simulated;
  const dev = devOf(simulated);
  const seen: string[] = [];
  const resumeAtHead = async () => {
    const { position } = node.api.queries.chain.head();
    let type = 'nothing';
    // A revert moves the clock in the same record, behind its own event.
    for await (const events of node.eventLog.read({ from: toPosition(position - 1n) }))
      type = events.find(({ event }) => event.type === 'Reverted')?.event.type ?? events.at(-1)?.event.type ?? type;
    seen.push(type);
    expect((await resume(simulated, position + 1n)).refusal).toBe('cursor-ahead');
    const { refusal, frames } = await resume(simulated, position);
    expect(refusal, type).toBeUndefined();
    return frames;
  };
  const atStart = await resumeAtHead();
  await simulated.mineTo(3n);
  await time.advance(10);
  expect(atStart).toHaveLength(1);
  await value(dev.snapshot());
  await resumeAtHead();
  await simulated.mineTo(4n);
  await node.api.commands.broadcastTx(send(0, 1, 5n, 0n));
  await resumeAtHead();
  await value(dev.revert(1n));
  const afterRevert = await resumeAtHead();
  expect(seen).toEqual(['NodeStarted', 'SnapshotTaken', 'TxAdmitted', 'Reverted']);
  await simulated.mineTo(4n);
  await time.advance(10);
  expect(afterRevert).toHaveLength(1);
  await node.stop();
});

test('a cursor before a pruned block is refused, and one at the last pruned block resumes with the next', async () => {
  const simulated = await simulate({ store: reopenable(), retained: { blocks: 30n, seconds: undefined } });
  await simulated.mineTo(80n);
  await simulated.time.advance(PRUNED_MS);
  const { chain } = simulated.node.api.queries;
  const lowest = chain.earliestHeight();
  expect(lowest).toBe(32n);
  const executed = (height: bigint): bigint =>
    simulated.node.eventLog.recordOf(toHeight(height))?.executed?.position ?? 0n;
  for (const position of [0n, 1n, executed(5n), executed(lowest - 1n) - 1n])
    expect((await resume(simulated, position)).refusal, String(position)).toBe('cursor-pruned');
  const { refusal, frames } = await resume(simulated, executed(lowest - 1n));
  await simulated.time.advance(10);
  expect(refusal).toBeUndefined();
  expect(frames[0]).toContain('"number":"0x20"');
  await simulated.node.stop();
});

test('a replay fails at a block that is pruned meanwhile, and leaves none out', async () => {
  const simulated = await simulate({ store: reopenable(), retained: { blocks: 30n, seconds: undefined } });
  const { node } = simulated;
  await simulated.mineTo(40n);
  const { chain } = node.api.queries;
  const history = createPushHistory({
    log: node.eventLog,
    chain,
    crypto,
    ethereumBlock: () => undefined,
    abandonedBy: () => [],
  });
  const replay = history.read('commits', { after: toPosition(0n) })[Symbol.asyncIterator]();
  const { value: first } = await replay.next();
  if (first?.kind !== 'commits') throw new Error('the first input is a block');
  expect(first.block()).toBeUndefined();
  await simulated.mineTo(80n);
  await simulated.time.advance(PRUNED_MS);
  expect(chain.earliestHeight()).toBe(32n);
  expect(() => first.block()).toThrow('block 1 was pruned while it was replayed');
  await expect(replay.next()).rejects.toThrow(`blocks after position ${first.position} were pruned`);
  await node.stop();
});
