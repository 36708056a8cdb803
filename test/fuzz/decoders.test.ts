/**
 * Every decoder of bytes and texts that come from outside, with kept inputs and with inputs that were valid and then
 * changed. A decoder answers or refuses in its own way; any other error is a defect. CHRONICLED_FUZZ is the number of
 * inputs of each, CHRONICLED_TEST_SEED the beginning of the random sequence; with CHRONICLED_FUZZ_KEEP the kept
 * inputs are written anew. Prints how many inputs were taken, how many different answers there were, and how much of
 * the sources was executed.
 */
// First, so that the code that is measured is compiled after it.
import { takeCoverage } from './coverage.js';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, numbers } from './changed.js';
import { Corpus, readCorpus } from './corpus.js';
import { decoders, type Decoder } from './decoders.js';

const RUNS = Number(process.env['CHRONICLED_FUZZ'] ?? 2_000);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const IS_KEEPING = process.env['CHRONICLED_FUZZ_KEEP'] !== undefined;

const TAKEN = 'taken';

/** `TAKEN`, or the refusal of a decoder; throws what is neither. */
function answer({ decode, refusals }: Decoder, bytes: Uint8Array, what: string): string {
  try {
    const answered = decode(bytes);
    return typeof answered === 'string' ? answered : TAKEN;
  } catch (error) {
    if (error instanceof Error && refusals.some((refusal) => error instanceof refusal)) return error.message;
    const input = Buffer.from(bytes).toString('hex').slice(0, 4_000);
    throw new Error(`seed ${SEED}, ${what}, input ${input}`, { cause: error });
  }
}

describe('the decoder', () => {
  const lines: string[] = [];
  beforeAll(() => void takeCoverage([]));
  afterAll(() => {
    process.stdout.write(`decoders, ${RUNS} inputs each, seed ${SEED}:\n${lines.join('\n')}\n`);
  });

  test.each(Object.entries(decoders))('of %s accepts or refuses every input without a defect', (name, decoder) => {
    const next = numbers(SEED + name.length);
    const kept = readCorpus(decoder.corpus);
    const inputs = [...decoder.samples, ...kept];
    const answers = new Corpus();
    let taken = 0;
    takeCoverage([]);
    const run = (bytes: Uint8Array, what: string): void => {
      const given = answer(decoder, bytes, what);
      answers.add(given, bytes);
      if (given === TAKEN) taken += 1;
    };
    for (const [index, bytes] of inputs.entries()) run(bytes, `kept input ${index}`);
    expect(taken).toBeGreaterThan(0);
    // Most kept inputs were refused early; changes of sound ones come further.
    for (let count = 0; count < RUNS; count += 1)
      run(changed(count % 2 === 0 ? decoder.samples : inputs, next), `run ${count}`);
    if (IS_KEEPING) answers.write(decoder.corpus);
    const covered = [...takeCoverage(decoder.sources)].map(([source, part]) => `${source} ${(part * 100).toFixed(0)}%`);
    lines.push(`${name}: ${kept.length} kept, ${taken} taken, ${answers.size} answers; ${covered.join(', ')}`);
  });
});
