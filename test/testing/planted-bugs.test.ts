/** The model finds bugs: they are planted one by one, and each is found. */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BrokenPromise,
  checkPromises,
  PromisesBroken,
  type Action,
  type Target,
  type Trial,
} from '../../src/testing/index.js';
import { filterTarget } from '../actors/filter-manager/target.js';
import { consensusTarget } from '../adapters/comet-rpc/subscriptions/target.js';
import { deliveryTarget } from '../adapters/eth-rpc/subscriptions/target.js';
import { bundled, mutated, verdictOf } from './mutant.js';
import { MUTATIONS, type Mutation } from './mutations.js';
import { PLANTED_IN_FILTERS, plantInFilters } from './planted-in-filters.js';
import { PLANTED_IN_PUSH, plantInPush } from './planted-in-push.js';

const RUNS = 1_000;
/** `CHRONICLED_PLANTED_BUGS=write` makes the page again: with this seed, and with counterexamples made small. */
const IS_WRITING = process.env['CHRONICLED_PLANTED_BUGS'] === 'write';
const SEED = IS_WRITING ? 1 : Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
/** `all` searches for every mutation of the engine; otherwise a run of the tests takes every fourth one. */
const IS_LONG = IS_WRITING || process.env['CHRONICLED_PLANTED_BUGS'] === 'all';
/** Lists of commands for a mutation of the engine, and milliseconds. */
const MUTANT_RUNS = 2_000;
const MUTANT_MS = IS_WRITING ? 600_000 : 55_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/generated/planted-bugs.md', import.meta.url));

interface Found {
  readonly bug: string;
  readonly face: string;
  readonly promise: string;
  readonly runs: number;
  readonly commands: number;
}
const found: Found[] = [];

function planted<Fact, Own extends Action>(
  target: Target<Fact, Own>,
  plant: (trial: Trial<Fact, Own>) => Trial<Fact, Own>,
): Target<Fact, Own> {
  return { ...target, begin: async () => plant(await target.begin()) };
}

async function isFound<Fact, Own extends Action>(bug: string, face: string, target: Target<Fact, Own>): Promise<void> {
  const search = checkPromises(target, {
    runs: RUNS,
    commands: 60,
    shrink: IS_WRITING,
    timeLimitMs: 2 ** 31 - 1,
    seed: SEED,
  });
  const broken = await search.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(broken instanceof PromisesBroken))
    throw new Error(`"${bug}" was not found in ${RUNS} runs with seed ${SEED}: ${String(broken)}`);
  const { error, runs, commands } = broken.counterexample;
  if (!(error instanceof BrokenPromise)) throw error;
  found.push({ bug, face, promise: error.promise, runs, commands: commands.length });
}

const SMALL = { socketPauseBytes: 400, socketCutoffBytes: 800 };
const inPush = PLANTED_IN_PUSH.map((bug) => [bug.name, bug] as const);
const inFilters = PLANTED_IN_FILTERS.map((bug) => [bug.name, bug] as const);

describe('the model finds a bug planted in', () => {
  test.each(inPush)('the consensus websocket: %s', async (name, bug) => {
    await isFound(
      name,
      'consensus websocket',
      planted(consensusTarget(SMALL), (trial) => plantInPush(trial, bug)),
    );
  });
  test.each(inPush)('the Ethereum websocket: %s', async (name, bug) => {
    const target = deliveryTarget({ ...SMALL, ringCommits: 6 });
    await isFound(
      name,
      'Ethereum websocket',
      planted(target, (trial) => plantInPush(trial, bug)),
    );
  });
  test.each(inFilters)('polling filters: %s', async (name, bug) => {
    await isFound(
      name,
      'polling filters',
      planted(filterTarget({}), (trial) => plantInFilters(trial, bug)),
    );
  });
});

describe('mutations of the engine’s sources', () => {
  const file = (mutation: Mutation): string => readFileSync(`${ROOT}${mutation.file}`, 'utf8');
  test('replace a text that occurs once in its file', () => {
    for (const mutation of MUTATIONS) expect(mutated(mutation, file(mutation))).not.toBe(file(mutation));
    expect(() => mutated({ ...firstOf(MUTATIONS), from: 'no such text' }, 'const text = 1;')).toThrow('has 0 times');
  });

  /** The bundle in which each text is replaced by itself. */
  let unchanged: string;
  beforeAll(async () => {
    unchanged = await bundled(MUTATIONS.map((mutation) => ({ ...mutation, to: mutation.from })));
  });

  const limits = [...new Set(MUTATIONS.map((mutation) => mutation.limits))];
  test.each(limits)('leave a passing engine when the text stays unchanged, with the limits %j', async (ofThese) => {
    const { target } = firstOf(MUTATIONS.filter((mutation) => mutation.limits === ofThese));
    const search = { target, limits: ofThese, runs: 20, commands: 60, shrink: false, seed: SEED };
    const { promise } = await verdictOf(unchanged, search, MUTANT_MS);
    expect(promise, `seed ${SEED}`).toBeUndefined();
  });

  const chosen = MUTATIONS.filter((_, index) => IS_LONG || (index + SEED) % 4 === 0);
  test.each(chosen.map((mutation) => [mutation.target, mutation.name, mutation] as const))(
    'are found by the model: %s: %s',
    { timeout: MUTANT_MS + 5_000 },
    async (_, bug, mutation) => {
      const { target, limits: ofIt } = mutation;
      const search = { target, limits: ofIt, runs: MUTANT_RUNS, commands: 60, shrink: IS_WRITING, seed: SEED };
      const { promise, runs, commands } = await verdictOf(await bundled([mutation]), search, MUTANT_MS);
      if (promise === undefined) throw new Error(`"${bug}" was not found in ${runs} runs with seed ${SEED}`);
      found.push({ bug, face: mutation.file, promise, runs, commands });
    },
  );
});

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('an empty list');
  return first;
}

describe('docs/generated/planted-bugs.md', () => {
  const rowOf = ({ bug, face, promise, runs, commands }: Found): string =>
    `| ${bug} | ${face} | ${promise} | ${runs} | ${commands} |`;

  test('lists all bugs that were found', () => {
    const page = readFileSync(PAGE, 'utf8');
    const [head = ''] = page.split(/(?<=^\|---.*\n)/mu);
    if (IS_WRITING) writeFileSync(PAGE, `${head}${found.map(rowOf).join('\n')}\n`);
    const all = 2 * inPush.length + inFilters.length + MUTATIONS.length;
    process.stdout.write(`planted bugs: ${found.length} of ${all} looked for and found, seed ${SEED}\n`);
    const named = ({ bug, face }: Found): string => `| ${bug} | ${face} |`;
    expect(found.filter((row) => !readFileSync(PAGE, 'utf8').includes(named(row)))).toEqual([]);
    expect(new Set([...inPush, ...inFilters].map(([name]) => name)).size).toBeGreaterThanOrEqual(30);
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(30);
  });
});
