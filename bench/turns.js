/**
 * Compares kinds of work in one process, in turns. A turn is long enough for several collections of its own garbage;
 * older garbage is collected before the turn. A round is one turn of each kind. Warm-up rounds, in which V8 compiles
 * the code, do not count; of the others the median counts.
 */
import { median, quantile } from './figures.js';

/**
 * @typedef {(work: () => Result) => Result} Clock processor time counts while `work` runs
 * @template Result
 */
/**
 * @typedef {object} Turn
 * @property {(clock: Clock<unknown>) => void} run
 * @property {() => void} [check] what the turn left behind
 */
/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} units of work in a turn
 * @property {(round: number) => Turn} turn makes all that a turn needs
 */

/**
 * Processor time of one unit of each kind in microseconds, all threads of this process, for each round.
 *
 * @param {readonly Kind[]} kinds
 * @param {{ readonly warm: number; readonly rounds: number }} count
 * @returns {Record<string, number[]>}
 */
export function inTurns(kinds, { warm, rounds }) {
  const measured = Object.fromEntries(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < warm + rounds; round += 1) {
    const first = round % kinds.length;
    for (const { name, units, turn } of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const { run, check } = turn(round);
      globalThis.gc?.({ type: 'minor' });
      let spent = 0;
      run((work) => {
        const before = process.cpuUsage();
        const result = work();
        const { user, system } = process.cpuUsage(before);
        spent += user + system;
        return result;
      });
      check?.();
      if (round >= warm) measured[name].push(spent / units);
    }
  }
  return measured;
}

/** Median and half the interquartile range as a share of it. @param {readonly number[]} samples */
export function middle(samples) {
  const value = median(samples);
  return { value, spread: (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / value };
}

/** Ratio of each round. @param {readonly number[]} above @param {readonly number[]} below */
export const ratios = (above, below) => above.map((value, round) => value / (below[round] ?? Number.NaN));
