import { createPublicClient, createWalletClient, custom, defineChain } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { test } from './chain.js';

const RECIPIENT = '0x00000000000000000000000000000000000000aa';

test('a transfer is one transaction in both worlds', async ({ chain }) => {
  const [sender] = chain.accounts;
  if (sender === undefined) throw new Error('the chain has accounts');
  const viem = {
    chain: defineChain({ id: Number(chain.evmChainId), name: chain.chainId, nativeCurrency: { name: 'Chronicle', symbol: 'CHR', decimals: 18 }, rpcUrls: { default: { http: [chain.endpoints.ethHttp] } } }),
    transport: custom(chain.ethereum),
  };
  const wallet = createWalletClient({ ...viem, account: privateKeyToAccount(sender.privateKey) });
  const hash = await wallet.sendTransaction({ to: RECIPIENT, value: 5n });
  const { status, blockNumber } = await chain.receipt(hash);
  expect(status).toBe('0x1');
  expect(await createPublicClient(viem).getBalance({ address: RECIPIENT })).toBe(5n);

  const { block } = await chain.comet.request({ method: 'block', params: { height: BigInt(blockNumber).toString() } });
  expect(block.data.txs).toHaveLength(1);
});

test('a chain that is not asked for is not started', () => {
  expect(RECIPIENT).toHaveLength(42);
});
