/**
 * Power cuts of recorded runs: each picture of a disk must open, contain everything that was acknowledged to clients,
 * and accept new writes. `scripts/power-cuts.js` makes thousands of new recordings.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.js';
import { judgeNode } from './judge.js';
import { LOAD_NAMES, record } from './loads.js';
import { Pictures, type Judged } from './pictures.js';
import {
  withHole,
  withoutFolderSyncs,
  withoutLogSyncs,
  withoutSyncsOfOldLogs,
  withoutSyncsOfReverts,
  withoutTableSyncs,
} from './planted.js';
import { canTrace } from './recorder.js';
import { recordingBuild } from './recording-build.js';
import { decodeTraces, encodeTraces, type Trace } from './trace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/power-cuts.br', import.meta.url));
/** Number of pictures in the long run; 0 runs the ordinary tests. */
const COUNT = Number(process.env['CHRONICLED_PICTURES'] ?? 0);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? 1);
/** Folder with recordings of the long run, which creates them if they are absent. */
const RECORDINGS = process.env['CHRONICLED_RECORDINGS'];
/** The only load of the long run; without it, all loads. */
const LOAD = process.env['CHRONICLED_LOAD'];
/** Number of pictures that are open at once: LevelDB opens one in its threads while another is read. */
const AT_A_TIME = 3;
/** A planted fault must show in one of so many pictures. */
const PLANTED_MAX = 40;
/** A home from a real disk after a log switch, made by a build that did not sync the old log. */
const CUT_HOME = fileURLToPath(
  new URL('../../../shared/reference/power/unopenable-home-real-ext4.tgz', import.meta.url),
);

const fixture = (): readonly Trace[] => decodeTraces(readFileSync(FIXTURE));
const recordings = (size: 'short' | 'long', names = LOAD_NAMES): AsyncGenerator<Trace> => {
  const program = recordingBuild();
  return (async function* () {
    for (const name of names) yield record(name, program, size);
  })();
};

/** Judges the pictures of so many seeds. Returns the broken ones. */
async function brokenOf(pictures: Pictures, first: number, count: number): Promise<readonly Judged[]> {
  const broken: Judged[] = [];
  let next = first;
  const judging = async (): Promise<void> => {
    while (next < first + count) {
      const judged = await pictures.judge(next++);
      if (judged.broken !== undefined) broken.push(judged);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, judging));
  return broken;
}

describe.skipIf(COUNT > 0)('a power cut', () => {
  it.each(existsSync(FIXTURE) ? fixture() : [])(
    'leaves a home that opens with everything acknowledged: $name',
    async (trace) => {
      expect(await brokenOf(await Pictures.of(trace), SEED, 18)).toEqual([]);
    },
  );

  it('leaves a home on which a full node starts', async () => {
    const [lives] = fixture().filter(({ name }) => name === 'lives');
    if (lives === undefined) throw new Error('the fixture has no such run');
    expect((await (await Pictures.of(lives)).judge(SEED, 'node')).broken).toBeUndefined();
  });

  it.skipIf(!canTrace())('leaves such a home in a new recording of this build (needs strace)', async () => {
    for await (const trace of recordings('short', ['mined runs']))
      expect(await brokenOf(await Pictures.of(trace), SEED, 24)).toEqual([]);
  });

  it.each([
    ['no log synced', withoutLogSyncs, ['transfers', 'mined runs']],
    ['no folder synced', withoutFolderSyncs, ['transfers', 'mined runs']],
    ['old logs not synced', withoutSyncsOfOldLogs, ['transfers', 'mined runs']],
    ['a hole in a log', withHole, ['transfers', 'mined runs']],
    ['no table synced', withoutTableSyncs, ['pruning']],
    ['no revert synced', withoutSyncsOfReverts, ['reverts']],
  ] as const)(
    'is judged a loss when syncs are left out of the recording: %s',
    async (_, plant, runs: readonly string[]) => {
      for (const trace of fixture().filter(({ name }) => runs.includes(name))) {
        const pictures = await Pictures.of(trace, plant);
        for (let seed = 1; seed <= PLANTED_MAX; seed += 1)
          if ((await pictures.judge(seed, 'store')).broken !== undefined) return;
      }
      throw new Error('the judge found nothing');
    },
  );

  it.skipIf(!existsSync(CUT_HOME))(
    'of an earlier build left a home that opens (needs the home of issue 31)',
    async () => {
      const folder = temporaryFolder();
      execFileSync('tar', ['xzf', CUT_HOME, '-C', folder]);
      const [home = ''] = readdirSync(folder);
      const nothing = {
        blocks: new Map(),
        gone: new Set<string>(),
        takenBack: new Set<number>(),
        admitted: new Set<string>(),
        args: [],
        life: '',
      };
      expect(await judgeNode(join(folder, home), nothing)).toBeUndefined();
    },
  );
});

describe.skipIf(COUNT === 0)('a power cut of new recordings', () => {
  it('leaves a home that opens with everything acknowledged', { timeout: 0 }, async () => {
    const folder = RECORDINGS ?? temporaryFolder();
    const names = LOAD_NAMES.filter((name) => LOAD === undefined || name === LOAD);
    let broken = 0;
    for (const name of names) {
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.br`);
      if (!existsSync(file)) {
        mkdirSync(folder, { recursive: true });
        for await (const trace of recordings('long', [name])) writeFileSync(file, encodeTraces([trace], 5));
      }
      const [trace] = decodeTraces(readFileSync(file));
      if (trace === undefined) throw new Error(`${file} is empty`);
      const found = await brokenOf(await Pictures.of(trace), SEED, Math.ceil(COUNT / names.length));
      broken += found.length;
      for (const one of found) process.stdout.write(`${JSON.stringify(one)}\n`);
      process.stdout.write(
        `${name}: ${Math.ceil(COUNT / names.length)} pictures from seed ${SEED}, ${found.length} broken\n`,
      );
    }
    expect(broken).toBe(0);
  });
});

/** With CHRONICLED_RECORD, the fixture is recorded anew; with CHRONICLED_LOAD, one run of it. */
describe.runIf(process.env['CHRONICLED_RECORD'] === '1')('the fixture', () => {
  it('is recorded', { timeout: 0 }, async () => {
    const traces = new Map((existsSync(FIXTURE) ? fixture() : []).map((trace) => [trace.name, trace]));
    const names = LOAD_NAMES.filter((name) => LOAD === undefined || name === LOAD);
    for await (const trace of recordings('short', names)) traces.set(trace.name, trace);
    writeFileSync(FIXTURE, encodeTraces([...traces.values()], 11));
  });
});
