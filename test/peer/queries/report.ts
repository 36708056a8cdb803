/** Writes differences as lines of JSON to the file that PEER_REPORT names. */
import { writeFileSync } from 'node:fs';
import type { Difference } from './compare.js';

export function report(differences: readonly Difference[]): void {
  const file = process.env['PEER_REPORT'];
  if (file === undefined) return;
  writeFileSync(file, differences.map((difference) => JSON.stringify(difference)).join('\n'));
}
