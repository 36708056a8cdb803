/** A consumer of the log that throws: the supervisor gets the error, and the other consumers continue. */
import { expect, test, vi } from 'vitest';
import { PendingTransactions } from '../../../src/core/mempool/pending-transactions.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send, simulate } from '../simulated-node.js';

test('a consumer that throws at an admission fails the node, but the sender is answered and the pool keeps it', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node, time } = simulated;
  await simulated.mineTo(1n);
  const defect = new Error('a defect of a consumer of admissions');
  const admitted = vi.spyOn(PendingTransactions.prototype, 'admitted').mockImplementation(() => {
    throw defect;
  });
  const tx = send(0, 1, 1n, 0n);
  const answering = node.api.commands.broadcastTx(tx);
  await time.advance(0);
  expect(await answering).toMatchObject({ ok: true, value: { code: 0 } });
  expect(admitted).toHaveBeenCalledOnce();
  // The consumers behind it in the wiring: the mempool has its record, and so a block has the transaction.
  expect(node.mempool.view.pending).toBe(1);
  admitted.mockRestore();
  const mining = node.consensus.mine();
  await time.advance(0);
  await mining;
  expect(node.api.queries.chain.tx(node.crypto.sha256(tx))?.height).toBe(2n);
  expect(await node.failed).toBe(defect);
  expect(simulated.errors).toEqual(['pendingTransactions failed at a record of the log']);
  await node.stop().catch(() => undefined);
});
