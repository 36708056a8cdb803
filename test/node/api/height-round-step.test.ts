import { describe, expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { heightRoundStep } from '../../../src/node/api/height-round-step.js';

const head = toHeight(7n);
const inHeight = (height: bigint) => ({
  context: { height: toHeight(height) },
  round: 2,
  step: 'PrevoteWait' as const,
});

describe('the reported height, round and step', () => {
  test('are those of the height that consensus is deciding', () => {
    expect(heightRoundStep(inHeight(8n), head)).toEqual({ height: 8n, round: 2, step: 5 });
  });

  test('are round 0 and NewHeight of the next height while no round of it has begun', () => {
    expect(heightRoundStep(inHeight(7n), head)).toEqual({ height: 8n, round: 0, step: 1 });
    expect(heightRoundStep(undefined, head)).toEqual({ height: 8n, round: 0, step: 1 });
  });
});
