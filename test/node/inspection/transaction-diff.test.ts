import { expect, test } from 'vitest';
import type { TransactionDiff } from '../../../src/core/inspection/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { accounts, send, simulate } from '../simulated-node.js';
import { noContract, settled } from './support.js';

const crypto = createPureCrypto();

test('transactionDiff returns the changes of each transaction of a block until its state is pruned', async () => {
  const pruning = { strategy: 'custom', keepRecent: 5n, interval: 10n } as const;
  const simulated = await simulate({ store: new MemoryStore(), pruning });
  const { node } = simulated;
  await simulated.mineTo(1n);
  const own = accounts[2]?.bech32 ?? '';
  const txs = [send(0, 2, 5n, 0n), send(1, 2, 7n, 0n), send(1, 2, 10n ** 40n, 1n)];
  for (const tx of txs) await node.api.commands.broadcastTx(tx);
  await simulated.mineTo(2n);
  const { transactionDiff } = node.inspection(noContract);
  const of = (hash: Uint8Array, limit = 1_000): Promise<Outcome<TransactionDiff | undefined>> =>
    settled(simulated, transactionDiff(hash, limit));
  const shown: TransactionDiff[] = [];
  for (const tx of txs) {
    const diff = await of(crypto.sha256(tx));
    if (!diff.ok || diff.value === undefined) throw new Error('the block has it');
    shown.push(diff.value);
  }
  expect(shown.map(({ height, index, more }) => [height, index, more])).toEqual([0, 1, 2].map((at) => [2n, at, 0]));
  const received = shown.map(({ changes }) =>
    changes
      .filter(({ store, row, key }) => store === 'bank' && row === 'balance' && key[0]?.text === own)
      .map(({ fields: [field] }) => BigInt(field?.after ?? 0) - BigInt(field?.before ?? 0)),
  );
  // the third transfer fails for lack of coins: only its fee and its sequence changed
  expect(received).toEqual([[5n], [7n], []]);
  expect(shown[2]?.changes.map(({ line }) => line)).toContainEqual(expect.stringContaining('sequence 1 -> 2'));
  // the fee goes to an account that is named by its module
  expect(shown[2]?.changes.map(({ line }) => line)).toContainEqual(expect.stringContaining('fee_collector'));
  expect(shown[0]?.changes.find(({ key }) => key[0]?.text === own)?.fields[0]?.after).toBe(
    shown[1]?.changes.find(({ key }) => key[0]?.text === own)?.fields[0]?.before,
  );
  // a row that was written as it was is no change
  for (const { raw } of shown.flatMap(({ changes }) => changes)) expect(raw.after, raw.store).not.toEqual(raw.before);
  const first = await of(crypto.sha256(txs[0] ?? new Uint8Array()), 1);
  expect(first).toMatchObject({
    ok: true,
    value: { changes: { length: 1 }, more: (shown[0]?.changes.length ?? 0) - 1 },
  });
  expect(await of(new Uint8Array(32))).toEqual({ ok: true, value: undefined });

  await simulated.mineTo(30n);
  expect(await of(crypto.sha256(txs[0] ?? new Uint8Array()))).toMatchObject({
    ok: false,
    error: { code: 'state-pruned' },
  });
  await node.stop();
});
