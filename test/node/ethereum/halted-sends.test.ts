/** Sends on a chain halted for an upgrade: those in the pool get the reason, and later ones are refused. */
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { fromHex } from '../../../src/core/bytes/hex.js';
import { MemoryStore } from '../../support/memory-store.js';
import { accounts, plan, simulate } from '../simulated-node.js';

test('a send on a halted chain is answered with the upgrade that the chain waits for', async () => {
  const simulated = await simulate({
    store: new MemoryStore(),
    mining: { kind: 'instant', heartbeatMs: undefined },
  });
  const { node, time } = simulated;
  const api = node.ethereum?.api;
  const sender = accounts[1];
  if (api === undefined || sender === undefined) throw new Error('the node has an Ethereum face and accounts');
  const scheduled = node.mempool.broadcast(plan('v2', 3n, 0n));
  await time.advance(0);
  expect((await scheduled).ok).toBe(true);
  await simulated.mineTo(2n);
  const raw = (nonce: number) =>
    privateKeyToAccount(`0x${Buffer.from(sender.privateKey).toString('hex')}`).signTransaction({
      chainId: Number(api.chainId),
      nonce,
      to: `0x${'1'.repeat(40)}`,
      gas: 21_000n,
      gasPrice: 2_000_000_000n,
    });
  // The block of the first transaction is the one that halts.
  const sent = await api.sendRawTransaction(fromHex((await raw(0)).slice(2)));
  if (!sent.ok) throw new Error('the transaction is admitted');
  await time.advance(0);
  await node.halted;
  expect(await api.inBlock(sent.value)).toEqual({
    ok: false,
    error: {
      code: 'halted',
      reason: 'the chain waits for the upgrade "v2" at height 3; the transaction waits in the pool',
    },
  });
  expect(api.pending(sent.value)).toBeDefined();
  const error = { code: 'halted', reason: 'UPGRADE "v2" NEEDED at height: 3:  (no blocks are made)' };
  expect(await api.sendRawTransaction(fromHex((await raw(1)).slice(2)))).toEqual({ ok: false, error });
  expect(await node.mempool.broadcast(plan('v3', 9n, 1n))).toEqual({ ok: false, error });
  await node.stop();
});
