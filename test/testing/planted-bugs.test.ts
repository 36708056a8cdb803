/** The model finds bugs: they are planted one by one, and each is found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  BrokenPromise,
  checkPromises,
  PromisesBroken,
  type Deed,
  type Target,
  type Trial,
} from '../../src/testing/index.js';
import { filterTarget } from '../actors/filter-manager/target.js';
import { consensusTarget } from '../adapters/comet-rpc/subscriptions/target.js';
import { deliveryTarget } from '../adapters/eth-rpc/subscriptions/target.js';
import { PLANTED_IN_FILTERS, plantInFilters } from './planted-in-filters.js';
import { PLANTED_IN_PUSH, plantInPush } from './planted-in-push.js';

const RUNS = 300;
/** `CHRONICLED_PLANTED_BUGS=write` makes the page again: with this seed, and with counterexamples made small. */
const IS_WRITING = process.env['CHRONICLED_PLANTED_BUGS'] === 'write';
const SEED = 1;
const PAGE = fileURLToPath(new URL('../../docs/planted-bugs.md', import.meta.url));

interface Found {
  readonly bug: string;
  readonly face: string;
  readonly promise: string;
  readonly runs: number;
  readonly commands: number;
}
const found: Found[] = [];

function planted<Fact, Own extends Deed>(
  target: Target<Fact, Own>,
  plant: (trial: Trial<Fact, Own>) => Trial<Fact, Own>,
): Target<Fact, Own> {
  return { ...target, begin: async () => plant(await target.begin()) };
}

async function isFound<Fact, Own extends Deed>(bug: string, face: string, target: Target<Fact, Own>): Promise<void> {
  const seed = IS_WRITING ? { seed: SEED } : {};
  const search = checkPromises(target, {
    runs: RUNS,
    commands: 60,
    shrink: IS_WRITING,
    timeLimitMs: 2 ** 31 - 1,
    ...seed,
  });
  const broken = await search.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(broken instanceof PromisesBroken)) throw new Error(`"${bug}" was not found in ${RUNS} runs: ${String(broken)}`);
  const { error, runs, commands } = broken.counterexample;
  if (!(error instanceof BrokenPromise)) throw error;
  found.push({ bug, face, promise: error.promise, runs, commands: commands.length });
}

const SMALL = { socketPauseBytes: 400, socketCutoffBytes: 800 };
const inPush = PLANTED_IN_PUSH.map((bug) => [bug.name, bug] as const);
const inFilters = PLANTED_IN_FILTERS.map((bug) => [bug.name, bug] as const);

describe('bugs planted in', () => {
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

describe('docs/planted-bugs.md', () => {
  const rowOf = ({ bug, face, promise, runs, commands }: Found): string =>
    `| ${bug} | ${face} | ${promise} | ${runs} | ${commands} |`;

  test('lists them', () => {
    const page = readFileSync(PAGE, 'utf8');
    const [head = ''] = page.split(/^\| every /mu);
    if (IS_WRITING) writeFileSync(PAGE, `${head}${found.map(rowOf).join('\n')}\n`);
    process.stdout.write(`planted bugs: ${found.length} of ${2 * inPush.length + inFilters.length} found\n`);
    const named = ({ bug, face }: Found): string => `| ${bug} | ${face} |`;
    expect(found.filter((row) => !readFileSync(PAGE, 'utf8').includes(named(row)))).toEqual([]);
    expect(new Set([...inPush, ...inFilters].map(([name]) => name)).size).toBeGreaterThanOrEqual(30);
  });
});
