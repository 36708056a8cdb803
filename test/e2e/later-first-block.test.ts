/** The first transaction of a chain whose genesis has a later `initial_height`, sent by an unmodified library. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, defineChain, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder, type DaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';

async function clients(node: DaemonProcess) {
  const transport = http(node.endpoints.eth_http ?? '');
  const id = await createPublicClient({ transport }).getChainId();
  const nativeCurrency = { name: 'chr', symbol: 'CHR', decimals: 18 };
  const chain = defineChain({ id, name: 'later', nativeCurrency, rpcUrls: { default: { http: [] } } });
  const account = mnemonicToAccount(MNEMONIC);
  return {
    reader: createPublicClient({ chain, transport, pollingInterval: 20 }),
    writer: createWalletClient({ chain, transport, account }),
  };
}

test('viem sends before the first block, whose parent is the genesis block, also after a restart', async () => {
  const home = temporaryFolder();
  expect(await chronicledHere(['init', 'only', '--home', home, '--chain-id', 'later_77-1'])).toMatchObject({ code: 0 });
  const file = join(home, 'config', 'genesis.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), initial_height: '1000' }));

  const first = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const { reader, writer } = await clients(first);
  const genesis = await reader.getBlock();
  expect(genesis.number).toBe(999n);
  for (const blockTag of ['earliest', 'safe', 'finalized'] as const)
    expect(await reader.getBlock({ blockTag })).toEqual(genesis);
  expect(await reader.getBlock({ blockHash: genesis.hash })).toEqual(genesis);
  expect(await reader.getFeeHistory({ blockCount: 4, rewardPercentiles: [] })).toMatchObject({ oldestBlock: 999n });
  const hash = await writer.sendTransaction({ to: writer.account.address, value: 1n });
  await callEthereum(first.endpoints.eth_http ?? '', 'evm_mine', []);
  const receipt = await reader.waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: 'success', blockNumber: 1000n });
  await first.kill('SIGTERM');

  const second = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const again = await clients(second);
  expect(await again.reader.getBlock({ blockNumber: 999n })).toEqual(genesis);
  const block = await again.reader.getBlock({ blockNumber: 1000n });
  expect(block).toMatchObject({ hash: receipt.blockHash, parentHash: genesis.hash, transactions: [hash] });
  await second.kill('SIGTERM');
});
