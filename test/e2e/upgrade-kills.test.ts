/** Nodes that are killed at any moment of an upgrade apply it once, at its height, and keep what they acknowledged. */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { seededRandom } from '../support/faulty-store.js';
import { type UpgradeDeath, UpgradeRounds } from './upgrade-rounds.js';

/** CHRONICLE_UPGRADE_KILLS and CHRONICLE_SEED choose the number of kills and repeat a run; see scripts/kill-loop.js. */
const KILLS = Number(process.env['CHRONICLE_UPGRADE_KILLS'] ?? 9);
const SEED = Number(process.env['CHRONICLE_SEED'] ?? randomInt(2 ** 31));
const POINTS = ['log-before-batch', 'log-after-batch', 'log-after-publish'] as const;
/** Deaths on each side of a halt; one more kill schedules, one is at the halt and one after the check. */
const DEATHS = 3;
const KILLS_OF_UPGRADE = 2 * DEATHS + 3;
/** Upgrades of one home, so that each of hundreds takes the same time. */
const UPGRADES_PER_HOME = 4;

it(`survives ${KILLS} kills around upgrades (seed ${SEED})`, { timeout: 120_000 + KILLS * 10_000 }, async () => {
  const random = seededRandom(SEED);
  const upgrades = Math.ceil(KILLS / KILLS_OF_UPGRADE);
  let kills = 0;
  let acknowledged = 0;
  for (let done = 0; done < upgrades; done += UPGRADES_PER_HOME) {
    const rounds = new UpgradeRounds();
    for (let upgrade = done; upgrade < Math.min(upgrades, done + UPGRADES_PER_HOME); upgrade += 1) {
      const before = Array.from({ length: DEATHS }, () => deathOf(random, 24));
      const after = Array.from({ length: DEATHS }, () => deathOf(random, 8));
      try {
        // The first upgrade of a home migrates; the chain alone knows the plans after it.
        await rounds.upgrade(upgrade === done ? 'v2' : `plan-${upgrade}`, before, after);
      } catch (error) {
        throw new Error(`upgrade ${upgrade} (CHRONICLE_SEED=${SEED}), ${JSON.stringify({ before, after })}`, {
          cause: error,
        });
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
});

/** Half of them at a random fail point, half at a random answer. */
function deathOf(random: () => number, last: number): UpgradeDeath {
  const name = POINTS[Math.floor(random() * POINTS.length)];
  if (name !== undefined && random() < 0.5) return { kind: 'fail point', name, nth: 1 + Math.floor(random() * last) };
  return { kind: 'answers', count: 1 + Math.floor(random() * last * 3) };
}
