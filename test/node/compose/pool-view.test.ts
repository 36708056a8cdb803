/** Pending and queued transactions on the Ethereum face of a whole node. */
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { invariant } from '../../../src/core/errors.js';
import { fromHex, upperHex } from '../../../src/core/bytes/hex.js';
import { MemoryStore } from '../../support/memory-store.js';
import { accounts, send, simulate } from '../simulated-node.js';

it('the Ethereum pool separates pending from queued transactions, also after a Cosmos transaction of the account', async () => {
  const { node } = await simulate({ store: new MemoryStore() });
  const { ethereum, commands } = { ethereum: node.ethereum?.api, commands: node.api.commands };
  const [sender] = accounts;
  invariant(ethereum !== undefined && sender !== undefined, 'a dev chain with accounts and an EVM');
  const signer = privateKeyToAccount(`0x${upperHex(sender.privateKey)}`);
  const raw = async (nonce: number) =>
    fromHex(
      (
        await signer.signTransaction({
          type: 'eip1559',
          chainId: Number(ethereum.chainId),
          nonce,
          gas: 21_000n,
          maxFeePerGas: 10n ** 10n,
          to: signer.address,
        })
      ).slice(2),
    );
  expect(await commands.broadcastTx(send(0, 1, 5n, 0n))).toMatchObject({ ok: true, value: { code: 0 } });
  for (const nonce of [1, 2, 5])
    expect(await ethereum.sendRawTransaction(await raw(nonce))).toMatchObject({ ok: true });
  const nonces = (place: 'pending' | 'queued') =>
    ethereum.pendingTransactions(place).map(({ transaction }) => transaction.nonce);
  expect([nonces('pending'), nonces('queued')]).toEqual([[1n, 2n], [5n]]);
  for (const nonce of [3, 4]) expect(await ethereum.sendRawTransaction(await raw(nonce))).toMatchObject({ ok: true });
  expect([nonces('pending'), nonces('queued')]).toEqual([[1n, 2n, 3n, 4n, 5n], []]);
  await node.stop();
});
