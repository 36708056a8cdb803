import type { TimeNs } from '../primitives.js';

/** RFC 3339 in UTC without trailing zeros of the fraction, as Go prints times. */
export function formatTime(time: TimeNs): string {
  const seconds = time / 1_000_000_000n;
  const fraction = (time % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${date}${fraction === '' ? '' : `.${fraction}`}Z`;
}
