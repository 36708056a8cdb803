import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number} [anvil] the same of anvil, measured in turns with ours
 * @property {number} [ratio] how many times better ours is: above 1 we win
 * @property {number} [spread] how far the middle half of the samples is from the value, as a share of it
 * @property {string} [goal] the goal of `docs/benchmarks.md`
 */

/** Elapsed milliseconds of `work`. @param {() => void} work */
export function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Median milliseconds of a synced write of 4 kB on this disk: the least cost of a synced batch. */
export function durableWrite() {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const file = openSync(join(folder, 'file'), 'w');
  const page = new Uint8Array(4_096);
  const samples = Array.from({ length: 200 }, () =>
    timed(() => {
      writeSync(file, page);
      fdatasyncSync(file);
    }),
  );
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  return median(samples);
}

/** Milliseconds until the promise of `work` resolves. @param {() => Promise<unknown>} work */
export async function timedAsync(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * The value that `share` (0 to 1) of the samples do not exceed. @param {readonly number[]} samples @param {number}
 * share
 */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
export function median(samples) {
  return quantile(samples, 0.5);
}
