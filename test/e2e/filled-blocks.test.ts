/** Blocks are filled by the gas that transactions use, and all executions of them agree. */
import type { Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * Sends `perSender` transfers from each of four senders, each with a gas limit of a third of a block, and mines until
 * the mempool is empty.
 */
async function blocksOf(perSender: number) {
  const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
  const url = daemon.endpoints.eth_http ?? '';
  const call = <Result>(method: string, ...params: readonly unknown[]) => callEthereum<Result>(url, method, params);
  // The first block is built as in CometBFT; later blocks verify signatures again.
  await call('evm_mine');
  for (let nonce = 0; nonce < perSender; nonce += 1) {
    for (let sender = 0; sender < 4; sender += 1) {
      const account = mnemonicToAccount(MNEMONIC, { addressIndex: sender });
      await call<Hex>(
        'eth_sendRawTransaction',
        await account.signTransaction({
          type: 'legacy',
          chainId: 271_828,
          nonce,
          to: account.address,
          value: 1n,
          gas: 10_000_000n,
          gasPrice: 3_000_000_000n,
        }),
      );
    }
  }
  const counts: number[] = [];
  const before = BigInt(await call<Hex>('eth_blockNumber'));
  for (let block = before + 1n; counts.reduce((sum, count) => sum + count, 0) < 4 * perSender; block += 1n) {
    await call('evm_mine');
    const { transactions } = await call<{ transactions: readonly Hex[] }>(
      'eth_getBlockByNumber',
      `0x${block.toString(16)}`,
      false,
    );
    counts.push(transactions.length);
  }
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  return { counts, home: daemon.home };
}

it(
  'a block is filled by gas used, not by gas limits, and a replay gives the same results',
  { timeout: 120_000 },
  async () => {
    const { counts, home } = await blocksOf(10);
    expect(counts).toEqual([40]);
    const verified = await chronicledHere(['log', 'verify', '--execute', '--home', home]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  },
);
