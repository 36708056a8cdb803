import { describe, expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { roundPlace } from '../../../src/node/api/round-place.js';

const head = toHeight(7n);
const inHeight = (height: bigint) => ({
  context: { height: toHeight(height) },
  round: 2,
  step: 'PrevoteWait' as const,
});

describe('where consensus stands', () => {
  test('is the round and step of the height that is being decided', () => {
    expect(roundPlace(inHeight(8n), head)).toEqual({ height: 8n, round: 2, step: 5 });
  });

  test('is the beginning of the next height while the validator still stands in one that is published, or in none', () => {
    expect(roundPlace(inHeight(7n), head)).toEqual({ height: 8n, round: 0, step: 1 });
    expect(roundPlace(undefined, head)).toEqual({ height: 8n, round: 0, step: 1 });
  });
});
