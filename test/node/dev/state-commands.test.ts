import { expect, test, vi } from 'vitest';
import { CHAIN_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';
import { devOf, firing } from './support.js';

test('a dump of the state reads devDumpRows rows in one turn of the event loop', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const dev = devOf(simulated);
  const turns = vi.spyOn(simulated.time, 'yield');
  /** Turns of the event loop during a dump. */
  const dump = async (): Promise<number> => {
    turns.mockClear();
    await firing(simulated, dev.dumpState());
    return turns.mock.calls.length;
  };
  await firing(simulated, dev.mine(1, undefined));
  const before = await dump();
  const slots = Array.from({ length: CHAIN_LIMITS.devSlots }, (_, index) => {
    const slot = new Uint8Array(32);
    new DataView(slot.buffer).setUint32(0, index);
    return { slot, value: new Uint8Array(32).fill(1) };
  });
  await firing(simulated, dev.setAccount(new Uint8Array(20).fill(7), { slots }));
  expect((await dump()) - before).toBeGreaterThanOrEqual(Math.floor(slots.length / FIXED_LIMITS.devDumpRows));
  turns.mockRestore();
  await simulated.node.stop();
});
