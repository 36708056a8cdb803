/** A node that is killed at any moment keeps what it acknowledged and showed (reliability-security.md 3.3). */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { FAIL_POINTS } from '../../src/store/fail-points.js';
import { KillRounds } from './kill-rounds.js';

/** CHRONICLE_KILLS and CHRONICLE_SEED choose the number of kills and repeat a run; scripts/kill-loop.js runs thousands. */
const KILLS = Number(process.env['CHRONICLE_KILLS'] ?? 15);
const SEED = Number(process.env['CHRONICLE_SEED'] ?? randomInt(2 ** 31));
const LOG_POINTS = FAIL_POINTS.filter((name) => name.startsWith('log-'));
/** Chains are not longer than this, so that thousands of rounds take the same time each. */
const ROUNDS_PER_HOME = 25;

const random = randomOf(SEED);

it.each(FAIL_POINTS)('survives a kill at %s of a new home', async (name) => {
  const rounds = new KillRounds();
  expect(await rounds.killAtFailPoint(name, 1), 'the fail point was reached').toBe(true);
  await rounds.check();
  rounds.remove();
});

it(`survives ${KILLS} kills at random moments (seed ${SEED})`, { timeout: 60_000 + KILLS * 20_000 }, async () => {
  let rounds = new KillRounds();
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    if (kill % ROUNDS_PER_HOME === ROUNDS_PER_HOME - 1) {
      acknowledged += rounds.acknowledged;
      rounds.remove();
      rounds = new KillRounds();
    }
    const point = LOG_POINTS[Math.floor(random() * LOG_POINTS.length)];
    if (point !== undefined && random() < 0.3) await rounds.killAtFailPoint(point, 2 + Math.floor(random() * 40));
    else await rounds.killUnderLoad(1 + Math.floor(random() * 100));
    await rounds.check();
  }
  acknowledged += rounds.acknowledged;
  process.stdout.write(`${KILLS} kills, ${acknowledged} acknowledged transactions, seed ${SEED}\n`);
  expect(acknowledged).toBeGreaterThan(0);
  rounds.remove();
});

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
