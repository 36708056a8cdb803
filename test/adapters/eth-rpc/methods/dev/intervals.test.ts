import { expect, it } from 'vitest';
import { intervalOf, pauseOf } from '../../../../../src/adapters/eth-rpc/methods/dev/intervals.js';
import { FIXED_LIMITS } from '../../../../../src/core/limits/limits.js';

it('intervals and pauses of more than devIntervalSeconds are refused, in seconds and in milliseconds', () => {
  const most = Number(FIXED_LIMITS.devIntervalSeconds);
  for (const [name, unit] of [
    ['anvil_setInterval', 1],
    ['hardhat_setInterval', 1_000],
  ] as const)
    for (const param of [intervalOf(name), pauseOf(name)]) {
      expect(param.decode(most * unit)).toMatchObject({ ok: true });
      expect(param.decode((most + 1) * unit)).toMatchObject({ ok: false });
    }
});
