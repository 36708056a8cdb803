/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 */

/** Milliseconds that `work` took. @param {() => void} work */
export function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Milliseconds until the promise of `work` resolved. @param {() => Promise<unknown>} work */
export async function timedAsync(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The value that `share` (0 to 1) of the samples do not exceed. @param {readonly number[]} samples @param {number} share */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
export function median(samples) {
  return quantile(samples, 0.5);
}
