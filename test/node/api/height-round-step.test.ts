import { describe, expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { heightRoundStep } from '../../../src/node/api/height-round-step.js';

const head = toHeight(7n);
const inHeight = (height: bigint) => ({
  context: { height: toHeight(height) },
  round: 2,
  step: 'PrevoteWait' as const,
});

describe('where consensus stands', () => {
  test('is the round and step of the height that is being decided', () => {
    expect(heightRoundStep(inHeight(8n), head)).toEqual({ height: 8n, round: 2, step: 5 });
  });

  test('is the beginning of the next height while the validator still stands in one that is published, or in none', () => {
    expect(heightRoundStep(inHeight(7n), head)).toEqual({ height: 8n, round: 0, step: 1 });
    expect(heightRoundStep(undefined, head)).toEqual({ height: 8n, round: 0, step: 1 });
  });
});
