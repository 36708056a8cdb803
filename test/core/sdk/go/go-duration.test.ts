import { expect, it } from 'vitest';
import { goDuration } from '../../../../src/core/sdk/go/go-duration.js';

it.each([
  [0n, '0s'],
  [1n, '1ns'],
  [1_500n, '1.5µs'],
  [-2_000_000n, '-2ms'],
  [999_999_999n, '999.999999ms'],
  [1_000_000_000n, '1s'],
  [1_500_000_000n, '1.5s'],
  [60_000_000_000n, '1m0s'],
  [90_000_000_001n, '1m30.000000001s'],
  [3_600_000_000_000n, '1h0m0s'],
  [172_800_000_000_000n, '48h0m0s'],
  [-90_000_000_000n, '-1m30s'],
] as const)('%s ns is %s in Go', (nanos, text) => {
  expect(goDuration(nanos)).toBe(text);
});
