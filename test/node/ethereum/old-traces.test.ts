/** Reads of the database by a trace and a call at an old height: their number is independent of later blocks. */
import { expect, it } from 'vitest';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fromHex, hexData } from '../../../src/core/bytes/hex.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { chain } from '../../core/app/dev-chain.js';
import { countedStore } from '../../support/counted-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, firing, head, value } from '../dev/support.js';
import { accounts, simulate } from '../simulated-node.js';

/** Number of blocks after the transaction: first few, then many. */
const [FEW, MANY] = [10, 100];
const RECEIVER = new Uint8Array(20).fill(7);

it('a trace and a call at an old height read as many rows with 100 later blocks as with 10', async () => {
  const { store, taken } = countedStore(new MemoryStore());
  const simulated = await simulate({ store, crypto: await createHostCrypto() });
  const api = simulated.node.ethereum?.api;
  if (api === undefined) throw new Error('the node has no Ethereum face');
  const sender = privateKeyToAccount(hexData(accounts[0]?.privateKey ?? new Uint8Array(32)) as Hex);
  const signed = await sender.signTransaction({
    type: 'eip1559',
    chainId: Number(chain.evmChainId),
    nonce: 0,
    to: hexData(RECEIVER) as Hex,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 0n,
  });
  const hash = await value(api.sendRawTransaction(fromHex(signed.slice(2))));
  await firing(simulated, devOf(simulated).mine(1, undefined));
  const { height } = head(simulated);
  /** Rows that one read takes after a first read has filled the caches. */
  const readBy = async (read: () => unknown): Promise<number> => {
    await read();
    taken();
    await read();
    return taken();
  };
  const mineTo = async (above: number): Promise<readonly number[]> => {
    await value(devOf(simulated).mine(above - Number(head(simulated).height - height), undefined));
    return [
      await readBy(() => value(api.traceTransactions([hash], '{"tracer":"callTracer"}', 1_000_000))),
      await readBy(async () => value(Promise.resolve(api.call({ to: RECEIVER }, height, [], {})))),
    ];
  };
  const few = await mineTo(FEW);
  expect(await mineTo(MANY)).toEqual(few);
  expect(Math.max(...few)).toBeLessThan(300);
  await simulated.node.stop();
});
