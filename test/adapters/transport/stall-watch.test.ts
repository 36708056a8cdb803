import { expect, it } from 'vitest';
import { StallWatch } from '../../../src/adapters/transport/stall-watch.js';
import { VirtualTime } from '../../support/simulated-time.js';

function watched() {
  const time = new VirtualTime();
  const stalls: bigint[] = [];
  const start = time.now();
  const watch = new StallWatch(time, 100, () => stalls.push((time.now() - start) / 1_000_000n));
  return { time, stalls, watch };
}

it('a client that reads nothing stalls, however much is written for it meanwhile', async () => {
  const { time, stalls, watch } = watched();
  watch.wrote(1);
  for (let step = 0; step < 9; step += 1) {
    await time.advance(10);
    watch.wrote(step);
  }
  await time.advance(1_000);
  expect(stalls).toEqual([100n]);
});

it('each byte that a client reads restarts the time', async () => {
  const { time, stalls, watch } = watched();
  watch.wrote(9);
  await time.advance(90);
  watch.progressed(8);
  await time.advance(90);
  expect(stalls).toEqual([]);
  await time.advance(10);
  expect(stalls).toEqual([190n]);
});

it('a client does not stall when nothing waits for it, or after it left', async () => {
  const { time, stalls, watch } = watched();
  watch.wrote(0);
  watch.wrote(5);
  watch.progressed(0);
  watch.wrote(5);
  watch.stop();
  expect(time.waiting).toBe(0);
  await time.advance(1_000);
  expect(stalls).toEqual([]);
});
