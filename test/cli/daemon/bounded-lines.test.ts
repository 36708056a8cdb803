import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedLines } from '../../../src/cli/daemon/log-lines.js';

const tooLong = (line: number): Error => new Error(`line ${line} is too long`);

async function linesOf(chunks: readonly string[], maximum: number): Promise<readonly string[]> {
  async function* input(): AsyncGenerator<string> {
    await Promise.resolve();
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of boundedLines(input(), maximum, tooLong)) lines.push(line);
  return lines;
}

describe('lines of a stream', () => {
  it('are the same for any division of the stream into chunks', async () => {
    const line = fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'b', ' ') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(40)),
        async (lines, end, cuts) => {
          const text = lines.map((each) => `${each}${end}`).join('');
          const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
          const chunks = places.map((at, index) => text.slice(at, places[index + 1] ?? text.length));
          expect(await linesOf(chunks, 6)).toEqual(lines);
        },
      ),
    );
  });

  it('include a last line without a line break', async () => {
    expect(await linesOf(['one\ntw', 'o'], 3)).toEqual(['one', 'two']);
  });

  it('end with the number of the first line that is too long, and the rest of it is not read', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      yield 'ab\n';
      for (;;) {
        read += 1;
        await Promise.resolve();
        yield 'cd';
      }
    }
    const seen: string[] = [];
    const all = async (): Promise<void> => {
      for await (const line of boundedLines(endless(), 10, tooLong)) seen.push(line);
    };
    await expect(all()).rejects.toThrow('line 2 is too long');
    expect([seen, read]).toEqual([['ab'], 6]);
  });
});
