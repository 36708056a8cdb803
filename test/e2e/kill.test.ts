/** A node that is killed at any moment keeps everything that it acknowledged and showed. */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { FAIL_POINTS } from '../../src/store/fail-points.js';
import { seededRandom } from '../support/faulty-store.js';
import { type Death, KillRounds } from './kill-rounds.js';

/**
 * CHRONICLED_KILLS and CHRONICLED_TEST_SEED choose the number of kills and repeat a run: scripts/kill-loop.js takes
 * thousands.
 */
const KILLS = Number(process.env['CHRONICLED_KILLS'] ?? 60);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
/** Fail points of a node without an upgrade; `log rebuild` and upgrades have their own. */
const NODE_POINTS = FAIL_POINTS.filter((name) => !/^(?:replace|upgrade)-/.test(name));
const LOG_POINTS = FAIL_POINTS.filter((name) => name.startsWith('log-'));
/** Longest chain, in restarts, so that each of thousands of rounds takes the same time. */
const LIVES_PER_HOME = 25;
/** Number of homes in parallel: one for each core. */
const LANES = 2;

interface Plan {
  readonly name: string;
  readonly deaths: readonly Death[];
}

it(
  `a node keeps what it acknowledged over ${KILLS} kills, random and at every fail point (seed ${SEED})`,
  { timeout: 60_000 + KILLS * 10_000 },
  async () => {
    const waiting = plansOf(KILLS);
    const homes = waiting.length;
    const reached = new Map<string, number>();
    let kills = 0;
    let acknowledged = 0;
    let blocks = 0;
    const lane = async (): Promise<void> => {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
        const rounds = new KillRounds();
        for (const [life, death] of plan.deaths.entries()) {
          await named(`life ${life} of home ${plan.name}, death by ${JSON.stringify(death)}`, async () => {
            const struck = await rounds.live(death);
            if (death.kind === 'fail point' && struck) reached.set(death.name, (reached.get(death.name) ?? 0) + 1);
          });
          kills += 1;
        }
        await named(`the last start of home ${plan.name}`, () => rounds.finish());
        acknowledged += rounds.acknowledged;
        blocks += rounds.height;
        // Prints interim results, so that an interrupted long run leaves some.
        if (homes > NODE_POINTS.length)
          process.stdout.write(`${kills} of ${KILLS} kills, ${acknowledged} acknowledged transactions, nothing lost\n`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const points = [...reached]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
    process.stdout.write(
      `${kills} kills of ${homes} homes, ${acknowledged} acknowledged transactions, ${blocks} blocks, seed ${SEED}; at fail points: ${points}\n`,
    );
    expect(kills).toBe(KILLS);
    // A node that dies at a fail point of a new home acknowledges next to nothing, and each home begins with one.
    if (kills >= 2 * homes) expect(acknowledged).toBeGreaterThan(kills);
    // Each home begins with a kill at one of them, in turn.
    if (homes >= NODE_POINTS.length) expect([...reached.keys()].toSorted()).toEqual([...NODE_POINTS].toSorted());
  },
);

/**
 * The first run of each home ends at a fail point of a new home, in turn. One in three of the later runs ends at a
 * fail point of the log.
 */
function plansOf(kills: number): Plan[] {
  const random = seededRandom(SEED);
  const homes = Math.min(kills, Math.max(NODE_POINTS.length, Math.ceil(kills / LIVES_PER_HOME)));
  return Array.from({ length: homes }, (_, home) => {
    const lives = Math.floor(kills / homes) + (home < kills % homes ? 1 : 0);
    const deaths = Array.from({ length: lives }, (__, life): Death => {
      const first = NODE_POINTS[home % NODE_POINTS.length];
      if (life === 0 && first !== undefined) return { kind: 'fail point', name: first, nth: 1 };
      const point = LOG_POINTS[Math.floor(random() * LOG_POINTS.length)];
      if (point !== undefined && random() < 1 / 3)
        return { kind: 'fail point', name: point, nth: 2 + Math.floor(random() * 40) };
      return { kind: 'acknowledgements', count: 1 + Math.floor(random() * 60) };
    });
    return { name: `${home}`, deaths };
  });
}

/** Adds the broken run to the message of a failure. */
async function named(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(
      `${what} (CHRONICLED_TEST_SEED=${SEED}): ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
