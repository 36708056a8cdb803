import { describe, expect, test } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import { hex, newRecordedState, recordedHeights } from './golden.js';

describe.skipIf(!hasGolden)('recorded writes of a Go node', () => {
  test('give its store roots and its app hash at every height', () => {
    const heights = recordedHeights();
    const state = newRecordedState(Object.keys(heights[0]?.roots ?? {}), 100);
    const wrong: string[] = [];
    let roots = 0;
    let appHashes = 0;
    for (const recorded of heights) {
      state.play(recorded);
      const latest = state.multistore.latest;
      for (const { name, root } of latest?.roots ?? []) {
        if (hex(root).toUpperCase() === recorded.roots[name]) roots += 1;
        else wrong.push(`${recorded.height} ${name}`);
      }
      if (latest !== undefined && hex(latest.appHash).toUpperCase() === recorded.appHash) appHashes += 1;
      else wrong.push(`${recorded.height} app hash`);
    }
    process.stdout.write(
      `roots equal to the Go node's: ${roots} of ${heights.length * 18}, app hashes: ${appHashes} of ${heights.length}\n`,
    );
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(roots).toBe(12_852);
    expect(appHashes).toBe(714);
  });
});
