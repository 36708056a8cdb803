/** Interleaved measurements of peers, and figures that compare them. */
import { median } from '../figures.js';
import { processorTime } from './peers.js';

/**
 * Runs `work` once for each peer and round, in turns and in changing order, so that other load on the machine affects
 * both. The first `warm` rounds do not count. `work` resolves with the number of measured operations.
 * @param {readonly import('./peers.js').Peer[]} peers
 * @param {{ rounds: number, warm?: number }} plan
 * @param {(peer: import('./peers.js').Peer, round: number) => Promise<number>} work
 * @returns {Promise<Map<string, { rate: number, milliseconds: number, cpu: number }>>} medians: times a second,
 * milliseconds each, CPU milliseconds each
 */
export async function compare(peers, { rounds, warm = 1 }, work) {
  const samples = new Map(peers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds + warm; round += 1) {
    const order = round % 2 === 0 ? peers : [...peers].reverse();
    for (const peer of order) {
      const before = processorTime(peer);
      const start = performance.now();
      const count = await work(peer, round);
      const elapsed = performance.now() - start;
      const sample = { milliseconds: elapsed / count, cpu: (processorTime(peer) - before) / count };
      if (round >= warm) samples.get(peer.name)?.push(sample);
    }
  }
  return new Map(
    [...samples].map(([name, all]) => {
      const milliseconds = median(all.map((sample) => sample.milliseconds));
      // Processor time has the resolution of ticks, so the mean of all rounds is finer than their median.
      return [
        name,
        { milliseconds, rate: 1_000 / milliseconds, cpu: all.reduce((sum, { cpu }) => sum + cpu, 0) / all.length },
      ];
    }),
  );
}

/**
 * A row: our value, anvil's, and how many times better ours is. @param {'more' | 'less'} better @returns
 * {import('../figures.js').Figure}
 */
export function row(name, unit, better, ours, anvil, goal) {
  const ratio = anvil === undefined ? undefined : better === 'more' ? ours / anvil : anvil / ours;
  return { name, value: ours, unit, ...(anvil !== undefined && { anvil, ratio }), ...(goal !== undefined && { goal }) };
}

/** Rate and processor time of a comparison. */
export function rateRows(name, compared, goal = 'ratio 0.5') {
  const ours = compared.get('ours');
  const anvil = compared.get('anvil');
  return [
    row(name, '1/s', 'more', ours.rate, anvil?.rate, goal),
    row(`${name}: CPU each`, 'us', 'less', ours.cpu * 1_000, anvil && anvil.cpu * 1_000),
  ];
}

/** Time and processor time of a comparison. */
export function timeRows(name, compared, goal = 'ratio 0.5') {
  const ours = compared.get('ours');
  const anvil = compared.get('anvil');
  return [
    row(name, 'ms', 'less', ours.milliseconds, anvil?.milliseconds, goal),
    row(`${name}: CPU each`, 'ms', 'less', ours.cpu, anvil?.cpu),
  ];
}
