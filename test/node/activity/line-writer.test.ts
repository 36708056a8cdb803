import { expect, test } from 'vitest';
import { LineWriter, type WriteText } from '../../../src/node/activity/line-writer.js';

/** A stream whose writes end when the test says so. */
function slowStream() {
  const written: string[] = [];
  let done: Parameters<WriteText>[1] | undefined;
  return {
    written,
    write: ((text, end) => {
      written.push(text);
      done = end;
    }) satisfies WriteText,
    /** Ends the write in progress. */
    end(error?: Error) {
      const end = done;
      done = undefined;
      end?.(error);
    },
  };
}

test('lines that arrive during a write are written together after it, in order', async () => {
  const stream = slowStream();
  const writer = new LineWriter(stream.write, false);
  for (const line of ['a', 'b', 'c']) writer.line(line);
  expect(stream.written).toEqual(['a\n']);
  stream.end();
  expect(stream.written).toEqual(['a\n', 'b\nc\n']);
  const idle = writer.end();
  stream.end();
  await idle;
});

test('a slow reader loses lines, which are counted, and memory stays bounded', () => {
  const stream = slowStream();
  const writer = new LineWriter(stream.write, false);
  const line = 'x'.repeat(1_000);
  for (let index = 0; index < 1_000; index += 1) writer.line(line);
  expect(stream.written).toEqual([`${line}\n`]);
  stream.end();
  const kept = (stream.written[1] ?? '').split('\n').length - 1;
  stream.end();
  expect(stream.written[2]).toBe(`… ${999 - kept} lines left out: the reader of this log is too slow\n`);
  expect(kept).toBeGreaterThan(200);
  expect(kept).toBeLessThan(300);
});

test('the writer stops after a failed write', async () => {
  const stream = slowStream();
  const writer = new LineWriter(stream.write, false);
  writer.line('a');
  writer.line('b');
  stream.end(new Error('EPIPE'));
  writer.line('c');
  await writer.end();
  expect(stream.written).toEqual(['a\n']);
});

test('a status on a terminal is replaced by the next status or line, and erased at the end', async () => {
  const stream = slowStream();
  const writer = new LineWriter(stream.write, true);
  writer.status('one');
  stream.end();
  writer.status('two');
  stream.end();
  writer.line('line');
  stream.end();
  writer.status('three');
  stream.end();
  const ended = writer.end();
  stream.end();
  await ended;
  expect(stream.written).toEqual(['one', '\r\u001b[Ktwo', '\r\u001b[Kline\n', 'three', '\r\u001b[K']);
});

test('a status is not written to a file', () => {
  const stream = slowStream();
  new LineWriter(stream.write, false).status('one');
  expect(stream.written).toEqual([]);
});
