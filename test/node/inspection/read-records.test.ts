/** Events in lines of `log export`: of any part of a log, and damaged, foreign or misplaced lines. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { readRecords as read } from '../../../src/node/inspection/read-records.js';
import { recordLine } from '../../../src/store/log/record-lines.js';
import { readRecords } from '../../../src/store/log/read-records.js';
import { MemoryStore } from '../../support/memory-store.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { NO_FILTER } from './support.js';

const source = { crypto, timers: { yield: () => Promise.resolve() } };
let simulated: SimulatedNode;
let lines: readonly string[];

beforeAll(async () => {
  const store = new MemoryStore();
  simulated = await simulate({ store });
  await simulated.mineTo(1n);
  await simulated.node.api.commands.broadcastTx(send(0, 2, 5n, 0n));
  await simulated.mineTo(3n);
  const { position } = simulated.node.api.queries.chain.head();
  const found: string[] = [];
  for await (const record of readRecords(store, crypto, { first: 1n, through: position }))
    found.push(recordLine(record));
  lines = found;
});
afterAll(() => simulated.node.stop());

test('reads the events of an exported log or of any part of it, decoded or not', async () => {
  const whole = await read(source, lines, { ...NO_FILTER, data: 'decoded' });
  expect(whole.problem).toBeUndefined();
  const events = whole.records.flat();
  expect(events[0]).toMatchObject({
    line: 'chain chronicle_271828-1 started, preset chronicle',
    isAbandoned: undefined,
  });
  expect(events.map(({ recorded }) => recorded.position)).toEqual(events.map((_, index) => BigInt(index + 1)));
  expect(events.some(({ data }) => data?.includes('"cosmos":{"@type"') === true)).toBe(true);
  const part = await read(source, lines.slice(2, 5), { ...NO_FILTER, data: 'none' });
  expect(part).toEqual({
    records: whole.records.slice(2, 5).map((list) => list.map((event) => ({ ...event, data: undefined }))),
    problem: undefined,
  });
});

test('reads only the events that match the filter, at the index of their line', async () => {
  const { records } = await read(source, lines, { ...NO_FILTER, height: toHeight(2n), data: 'none' });
  expect(records).toHaveLength(lines.length);
  const found = records.flat();
  expect(found.map(({ recorded: { event } }) => event.type)).toEqual(['BlockDecided', 'BlockExecuted']);
});

test('names the line that is damaged or out of order, and returns the events before it', async () => {
  const [first = '', second = '', third = ''] = lines;
  const bad = async (...given: readonly string[]) => {
    const { records, problem } = await read(source, given, { ...NO_FILTER, data: 'none' });
    return [records.length, problem?.line, problem?.reason];
  };
  expect(await bad(first, 'x')).toEqual([1, 2, 'not a record line']);
  expect(await bad('{"jsonrpc":"2.0"}')).toEqual([0, 1, 'not a record line']);
  expect(await bad(first, third)).toEqual([1, 2, expect.stringMatching(/^position \d+ does not follow position \d+$/)]);
  const flipped = second.replace(
    /"rows":\{"0":"(.{20})./,
    (text) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A'),
  );
  expect(flipped).not.toBe(second);
  expect((await bad(first, flipped)).slice(0, 2)).toEqual([1, 2]);
  expect(await bad()).toEqual([
    0,
    0,
    'the input is empty: a log export that is refused leaves an empty output, and says why on standard error',
  ]);
});
