/** A node killed at any moment of an upgrade applies it once, at its height, and keeps what it acknowledged. */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { FAIL_POINTS, type FailPoint } from '../../src/store/fail-points.js';
import { seededRandom } from '../support/faulty-store.js';
import { type UpgradeDeath, UpgradeRounds } from './upgrade-rounds.js';

/**
 * CHRONICLED_UPGRADE_KILLS and CHRONICLED_TEST_SEED choose the number of kills and repeat a run; see
 * scripts/kill-loop.js.
 */
const KILLS = Number(process.env['CHRONICLED_UPGRADE_KILLS'] ?? 9);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
/** Fail points of a run on each side of a halt, and of the halt itself. */
const POINTS = ['lock-taken', 'log-before-batch', 'log-after-batch', 'log-after-publish'] as const;
const POINTS_OF_HALT = ['upgrade-before-info', 'upgrade-after-info'] as const;
/** Fail points of other operations: creation or replacement of a database, and a clean stop. */
const OTHER_POINTS = [
  'store-before-rename',
  'store-after-rename',
  'replace-before',
  'replace-between',
  'replace-after',
  'lock-released',
] as const;
/** Random kills on each side of a halt in later upgrades; the first upgrade has a kill at each fail point. */
const DEATHS = 3;
/** Further kills: one while the plan is scheduled, one at the halt and one after the check. */
const KILLS_OF_UPGRADE = 2 * DEATHS + POINTS_OF_HALT.length + 3;
/** Number of upgrades of one home, so that each of hundreds takes the same time. */
const UPGRADES_PER_HOME = 4;

it(
  `a node applies each upgrade once and loses nothing over ${KILLS} kills (seed ${SEED})`,
  { timeout: 120_000 + KILLS * 10_000 },
  async () => {
    const random = seededRandom(SEED);
    const upgrades = Math.ceil(KILLS / KILLS_OF_UPGRADE);
    let kills = 0;
    let acknowledged = 0;
    for (let done = 0; done < upgrades; done += UPGRADES_PER_HOME) {
      const rounds = new UpgradeRounds();
      for (let upgrade = done; upgrade < Math.min(upgrades, done + UPGRADES_PER_HOME); upgrade += 1) {
        const deaths = (last: number): readonly UpgradeDeath[] =>
          upgrade === 0
            ? POINTS.map((name) => atPoint(name, random, 4))
            : Array.from({ length: DEATHS }, () => deathOf(random, last));
        const [before, after] = [deaths(24), deaths(8)];
        const atHalt = POINTS_OF_HALT.map((name) => atPoint(name, random, 1));
        try {
          // Only the first upgrade of a home migrates; the later plans are known only to the chain.
          await rounds.upgrade(upgrade === done ? 'v2' : `plan-${upgrade}`, before, atHalt, after);
        } catch (error) {
          throw new Error(
            `upgrade ${upgrade} (CHRONICLED_TEST_SEED=${SEED}), ${JSON.stringify({ before, atHalt, after })}`,
            {
              cause: error,
            },
          );
        }
      }
      expect(rounds.refusedResets).toBeGreaterThan(0);
      kills += rounds.kills;
      acknowledged += rounds.acknowledged;
      process.stdout.write(`${kills} kills in upgrades, ${acknowledged} acknowledged transactions, nothing lost\n`);
      rounds.remove();
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    expect(acknowledged).toBeGreaterThan(0);
  },
);

it('the kills cover every fail point of an upgrade', () => {
  expect([...POINTS, ...POINTS_OF_HALT, ...OTHER_POINTS].toSorted()).toEqual([...FAIL_POINTS].toSorted());
});

/** One of the first `last` times that a run reaches a fail point; a run takes the lock once. */
function atPoint(name: FailPoint, random: () => number, last: number): UpgradeDeath {
  return { kind: 'fail point', name, nth: name === 'lock-taken' ? 1 : 1 + Math.floor(random() * last) };
}

/** Half of them at a random fail point, half after a random number of answers. */
function deathOf(random: () => number, last: number): UpgradeDeath {
  const name = POINTS[Math.floor(random() * POINTS.length)];
  if (name !== undefined && random() < 0.5) return atPoint(name, random, last);
  return { kind: 'answers', count: 1 + Math.floor(random() * last * 3) };
}
