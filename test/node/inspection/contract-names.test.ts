/** Names of contracts with a known ABI in state diffs and in events of the log. */
import { encodeDeployData, encodeFunctionData, getContractAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { equal } from '../../../src/core/bytes/bytes.js';
import { fromHex, hex } from '../../../src/core/bytes/hex.js';
import type { InspectionApi } from '../../../src/core/inspection/api.js';
import { Token } from '../../contracts/index.js';
import { MemoryStore } from '../../support/memory-store.js';
import { accounts, simulate } from '../simulated-node.js';
import { NO_FILTER, settled } from './support.js';

it('state diffs and log events name known contracts, their calls, logs and storage', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const ethereum = simulated.node.ethereum?.api;
  const [sender, receiver] = accounts;
  if (ethereum === undefined || sender === undefined || receiver === undefined) throw new Error('a dev chain');
  const signer = privateKeyToAccount(`0x${hex(sender.privateKey)}`);
  const send = async (nonce: number, data: `0x${string}`, to?: `0x${string}`): Promise<void> => {
    const raw = await signer.signTransaction({
      type: 'eip1559',
      chainId: Number(ethereum.chainId),
      nonce,
      gas: 2_000_000n,
      maxFeePerGas: 10n ** 10n,
      data,
      ...(to !== undefined && { to }),
    });
    expect(await ethereum.sendRawTransaction(fromHex(raw.slice(2)))).toMatchObject({ ok: true });
  };
  const token = getContractAddress({ from: signer.address, nonce: 0n });
  const transfer = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [receiver.hex, 7n] });
  await send(0, encodeDeployData({ ...Token, args: ['Gold', 'GLD', 1_000n] }));
  await simulated.mineTo(2n);
  await send(1, transfer, token);
  await simulated.mineTo(4n);

  const known = { origin: 'artifacts', name: 'Token', abi: Token.abi, runtime: 'match' } as const;
  const find: InspectionApi['contract'] = (address) =>
    Promise.resolve(equal(address, fromHex(token.slice(2))) ? known : undefined);
  const inspection = simulated.node.inspection(find);
  const short = `Token@${token.slice(0, 6)}…${token.slice(-4)}`;

  const diff = await settled(
    simulated,
    inspection.stateDiff({
      from: { kind: 'height', height: 2n },
      to: { kind: 'latest' },
      store: 'evm',
      cursor: undefined,
      limit: 1_000,
    }),
  );
  if (!diff.ok) throw new Error(diff.error.code);
  const slots = diff.value.changes.filter(({ key }) => key[0]?.text === token.toLowerCase());
  expect(slots).toHaveLength(2);
  for (const { key, line } of slots) {
    expect(key[0]).toMatchObject({ name: 'contract', text: token.toLowerCase(), short });
    expect(line).toContain(`evm: storage ${short} `);
  }

  const log = await settled(
    simulated,
    inspection.logEvents({
      ...NO_FILTER,
      from: undefined,
      to: undefined,
      isDescending: false,
      limit: 100,
      data: 'decoded',
      waitMs: 0,
    }),
  );
  if (!log.ok) throw new Error(log.error.code);
  const data = log.value.events.map((event) => event.data ?? '').join('\n');
  expect(data.match(new RegExp(`"call":"${short}.transfer\\(${receiver.hex}, 7\\)"`, 'g'))).toHaveLength(2);
  expect(data).toContain(
    `"evm":[{"tx":0,"logs":["${short} Transfer(from: ${signer.address}, to: ${receiver.hex}, value: 7)"]}]`,
  );
  await simulated.node.stop();
});
