import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'golden');

/**
 * True where the recorded data of real nodes is beside the checkout; elsewhere (a user's machine, CI of a fork) such
 * tests are skipped.
 */
export const hasGolden = existsSync(root);
if (!hasGolden)
  process.stderr.write('golden data absent (../shared/golden): comparisons with recorded nodes are skipped\n');

/** Path of a recorded file, for example `goldenPath('chain-a/blocks.jsonl')`. */
export function goldenPath(name: string): string {
  return join(root, name);
}

/** Parsed lines of a recorded JSONL file; the caller states the shape that it relies on. */
export function goldenLines<Line>(name: string): Line[] {
  return readFileSync(goldenPath(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
