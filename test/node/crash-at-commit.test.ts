import { expect, test } from 'vitest';
import { upperHex } from '../../src/core/bytes/hex.js';
import { toHeight } from '../../src/core/primitives.js';
import { FaultyStore } from '../support/faulty-store.js';
import { send, simulate, type SimulatedNode } from './simulated-node.js';

test('acknowledged transactions and published blocks survive a crash at any commit', async () => {
  let crashes = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const store = new FaultyStore({ seed, commitFails: 0.08 });
    const accepted: Uint8Array[] = [];
    let shown = 0n;
    let hash = '';
    let simulated: SimulatedNode | undefined;
    try {
      simulated = await simulate({ store });
      for (let sequence = 0n; sequence < 6n; sequence += 1n) {
        const tx = send(0, 2, 5n, sequence);
        const answer = await simulated.node.api.commands.broadcastTx(tx);
        if (answer.ok && answer.value.code === 0) accepted.push(tx);
        if (sequence % 2n === 1n) await simulated.mineTo(shown + 1n);
        const head = simulated.node.api.queries.chain.head();
        shown = head.height;
        hash = upperHex(head.blockHash);
      }
    } catch {
      crashes += 1;
    }
    await simulated?.node.stop();
    const again = await simulate({ store: await store.crashImage() }).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    const { chain } = again.node.api.queries;
    if (shown > 0n)
      expect(upperHex(chain.block(toHeight(shown))?.blockId.hash ?? new Uint8Array()), `seed ${seed}`).toBe(hash);
    await again.mineTo(chain.head().height + 2n);
    const included = Array.from(
      { length: Number(chain.head().height) },
      (_, index) => chain.block(toHeight(BigInt(index + 1)))?.block.data?.txs ?? [],
    )
      .flat()
      .map(upperHex);
    expect(new Set(included).size, `seed ${seed}: no duplicate`).toBe(included.length);
    // Admissions are synced with the block that follows them: those before the shown head must be present.
    for (const tx of accepted.slice(0, Number(shown) * 2)) expect(included, `seed ${seed}`).toContain(upperHex(tx));
    await again.node.stop();
  }
  expect(crashes).toBeGreaterThan(5);
});
