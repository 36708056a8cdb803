import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frame, FrameReader, MalformedMessage } from '../../../src/adapters/abci/frames.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { propertyRuns } from '../../support/property-runs.js';

const MAXIMUM = 20_000;

it('messages are read as they were sent, however their bytes are split', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
  const cuts = fc.infiniteStream(fc.integer({ min: 0, max: 200 }));
  fc.assert(
    fc.property(messages, cuts, (sent, sizes) => {
      const bytes = concat(...sent.map(frame));
      const frames = new FrameReader(MAXIMUM);
      const read: Uint8Array[] = [];
      for (let at = 0; at < bytes.length;) {
        const size = sizes.next().value ?? 1;
        read.push(...frames.push(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(read.map((message) => [...message])).toEqual(sent.map((message) => [...message]));
      expect(frames.isWithin).toBe(false);
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('a message is a copy of its bytes, so that a later change of the chunk does no harm', () => {
  const chunk = Buffer.from(concat(frame(Uint8Array.of(1, 2)), frame(Uint8Array.of(3))));
  const read = [...new FrameReader(MAXIMUM).push(chunk)];
  chunk.fill(9);
  expect(read.map((message) => [...message])).toEqual([[1, 2], [3]]);
});

it('an incomplete message waits for its rest', () => {
  const frames = new FrameReader(MAXIMUM);
  const bytes = frame(new Uint8Array(500));
  expect([...frames.push(bytes.subarray(0, 400))]).toEqual([]);
  expect(frames.isWithin).toBe(true);
  expect([...frames.push(bytes.subarray(400))]).toEqual([new Uint8Array(500)]);
  expect(frames.isWithin).toBe(false);
});

it.each([
  ['one byte more than the maximum', frame(new Uint8Array(MAXIMUM + 1)), /message of 20001 bytes or more/],
  ['a length of nine bytes', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), /message of/],
  ['a length that does not end', Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80), /not the length of a message/],
])('%s is refused, and the messages before it are read', (_, wrong, text) => {
  const read: Uint8Array[] = [];
  const reading = (): void => {
    for (const message of new FrameReader(MAXIMUM).push(concat(frame(Uint8Array.of(7)), wrong))) read.push(message);
  };
  expect(reading).toThrow(MalformedMessage);
  expect(reading).toThrow(text);
  expect(read).toContainEqual(Uint8Array.of(7));
});

it('the largest message is read', () => {
  const message = new Uint8Array(MAXIMUM).fill(5);
  expect([...new FrameReader(MAXIMUM).push(frame(message))]).toEqual([message]);
});
