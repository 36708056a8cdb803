import { describe, expect, test } from 'vitest';
import type { TracePart } from '../../../src/core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { PartReader } from '../../../src/runtime/pool/part-reader.js';
import { PartSender } from '../../../src/runtime/pool/part-sender.js';
import { StreamFlow } from '../../../src/runtime/pool/stream-flow.js';

const { traceStreamParts: ROOM } = FIXED_LIMITS;
const part = (value: number): TracePart => ({ kind: 'piece', text: Uint8Array.of(value) });

/** A sender and its reader without threads: a sender that has to wait finds that it has timed out. */
function pair() {
  const flow = new StreamFlow();
  const reader = new PartReader();
  reader.begin(flow);
  const time = { left: 1 };
  const sent: TracePart[] = [];
  const sender = new PartSender(
    (one) => {
      sent.push(one);
      reader.arrived(one);
    },
    flow,
    () => time.left,
  );
  return { reader, sender, sent, time };
}

describe('the parts of a trace', () => {
  test('are sent while the reader has room, and then as it takes them', async () => {
    const { reader, sender, sent, time } = pair();
    for (let value = 0; value < ROOM; value += 1) sender.give(part(value));
    expect(sent).toHaveLength(ROOM);
    expect(await reader.next()).toEqual(part(0));
    sender.give(part(ROOM));
    expect(sent).toHaveLength(ROOM + 1);
    time.left = 0;
    sender.give(part(ROOM + 1));
    expect(sent).toHaveLength(ROOM + 1);
  });

  test('are not sent again when the task runs a second time', () => {
    const { sender, sent } = pair();
    sender.give(part(1));
    sender.give(part(2));
    sender.restart();
    for (const value of [1, 2, 3]) sender.give(part(value));
    expect(sent).toEqual([part(1), part(2), part(3)]);
  });

  test('are no longer made when the reader ends, even before the task begins', async () => {
    const { reader, sender, sent } = pair();
    sender.give(part(1));
    reader.end();
    sender.give(part(2));
    expect([sender.isEnded, sent.length, await reader.next()]).toEqual([true, 1, undefined]);
    const flow = new StreamFlow();
    const early = new PartReader();
    early.end();
    early.begin(flow);
    expect(flow.isEnded).toBe(true);
  });

  test('are read to their end after the thread begins another task, whose parts the reader does not take', async () => {
    const flow = new StreamFlow();
    const reader = new PartReader();
    reader.begin(flow);
    reader.arrived(part(1));
    reader.finish(undefined);
    flow.restart();
    expect([await reader.next(), await reader.next()]).toEqual([part(1), undefined]);
    reader.end();
    expect(flow.isEnded).toBe(false);
    const waiting = new PartReader();
    const next = waiting.next();
    waiting.finish(new Error('lost'));
    await expect(next).rejects.toThrow('lost');
  });
});
