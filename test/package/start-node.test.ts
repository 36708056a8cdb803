/**
 * The library in this process: options, failures, several nodes. `package.test.ts` checks that it leaves nothing
 * behind.
 */
import { createServer } from 'node:http';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserProvider } from 'ethers';
import { describe, expect, test } from 'vitest';
import { JsonRpcError, startNode, StartFailed, type ChronicleNode, type StartOptions } from '../../src/index.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';

/** Starts a node that is stopped after the test if the test has not stopped it. */
async function started(options?: StartOptions): Promise<ChronicleNode> {
  const node = await startNode(options);
  afterwards(() => node.stop());
  return node;
}

/** Sends 1 wei between the first two accounts; resolves with the number of the block. */
async function transfer({ ethereum, accounts: [from, to], receipt }: ChronicleNode): Promise<bigint> {
  if (from === undefined || to === undefined) throw new Error('two accounts are needed');
  const hash = await ethereum.request({
    method: 'eth_sendTransaction',
    params: [{ from: from.hex, to: to.hex, value: '0x1' }],
  });
  return BigInt((await receipt(hash)).blockNumber);
}

const height = async ({ ethereum }: ChronicleNode): Promise<bigint> =>
  BigInt(await ethereum.request({ method: 'eth_blockNumber' }));

describe('a node in process', () => {
  test('answers on every face, on free ports of the system', async () => {
    const { endpoints, accounts, chainId, evmChainId } = await started();
    const ports = Object.values(endpoints).map((url: string) =>
      Number(new URL(url.includes('://') ? url : `tcp://${url}`).port),
    );
    expect(ports.filter((port) => port < 1_024)).toEqual([]);
    expect(Object.keys(endpoints).toSorted()).toEqual([
      'comet',
      'cometWs',
      'ethHttp',
      'ethWs',
      'grpc',
      'metrics',
      'rest',
    ]);
    expect(
      await (await fetch(`${endpoints.rest}/cosmos/bank/v1beta1/balances/${accounts[0]?.bech32}`)).json(),
    ).toMatchObject({ balances: [{ denom: 'achr' }] });
    expect((await fetch(`${endpoints.metrics}/health`)).status).toBe(200);
    expect([chainId, evmChainId, accounts.length]).toEqual(['chronicle_271828-1', 271_828n, 10]);
  });

  test('starts a second chain with an open channel, and stops both', async () => {
    const { second, comet, stop } = await started({ ibc: true });
    if (second?.channels === undefined) throw new Error('no channel');
    expect(second.node.chainId).toBe('chronicletwo_271829-1');
    const { rest } = second.node.endpoints;
    const path = `/ibc/core/channel/v1/channels/${second.channels.there}/ports/transfer`;
    expect(await (await fetch(`${rest}${path}`)).json()).toMatchObject({
      channel: { state: 'STATE_OPEN', counterparty: { channel_id: second.channels.here } },
    });
    const before = await height(second.node);
    expect(await transfer(second.node)).toBe(before + 1n);
    await stop();
    await expect(second.node.comet.request({ method: 'status', params: {} })).rejects.toThrow();
    await expect(comet.request({ method: 'status', params: {} })).rejects.toThrow();
  });

  test('makes blocks only for transactions', async () => {
    const node = await started();
    const before = await height(node);
    expect(await transfer(node)).toBe(before + 1n);
    expect(await height(node)).toBe(before + 1n);
  });

  test('makes blocks when asked, with manual mining', async () => {
    const node = await started({ mining: 'manual' });
    const sent = transfer(node);
    // The transaction waits in the pool before the block is asked for.
    for (let pending = '0x0'; pending === '0x0';)
      ({ pending } = (await node.ethereum.request({ method: 'txpool_status' })) as { pending: string });
    await node.ethereum.request({ method: 'evm_mine' });
    expect(await sent).toBe(await height(node));
  });

  test('yields past and new blocks, each once, until it stops', async () => {
    const node = await started();
    await transfer(node);
    const blocks = node.blocks({ from: 0n });
    const heights: bigint[] = [];
    for (let sent = 2n; sent <= 4n; sent += 1n) {
      for (const facts of [await blocks.next(), ...(sent === 2n ? [await blocks.next()] : [])])
        heights.push(facts.value?.height ?? -1n);
      await transfer(node);
    }
    const last = await blocks.next();
    expect([...heights, last.value?.height]).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(last.value?.ethereumHash).toBe(
      (
        (await node.ethereum.request({ method: 'eth_getBlockByNumber', params: ['0x5', false] })) as {
          readonly hash: string;
        }
      ).hash,
    );
    expect(last.value?.txs.length).toBe(1);
    const ending = blocks.next();
    await node.stop();
    expect(await ending).toEqual({ done: true, value: undefined });
  });

  test('applies the options of the chain', async () => {
    const node = await started({
      chainId: 'other_99-3',
      bech32Prefix: 'cosmos',
      denom: 'atest',
      accounts: { count: 2, balance: 7n },
      mining: { intervalMs: 50 },
    });
    expect([node.chainId, node.evmChainId, node.accounts.length, node.accounts[0]?.bech32]).toEqual([
      'other_99-3',
      99n,
      2,
      'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq',
    ]);
    expect(
      await node.ethereum.request({ method: 'eth_getBalance', params: [node.accounts[1]?.hex ?? '0x', 'latest'] }),
    ).toBe(`0x${(7n * 10n ** 18n).toString(16)}`);
    expect((await node.comet.request({ method: 'status' })).node_info.network).toBe('other_99-3');
  });

  test('is a provider for ethers', async () => {
    const node = await started();
    const provider = new BrowserProvider(node.ethereum);
    expect((await provider.getNetwork()).chainId).toBe(271_828n);
    provider.destroy();
  });

  test('rejects a request with the error of the node', async () => {
    const node = await started();
    const error = await node.comet
      .request({ method: 'block', params: { height: '999' } })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JsonRpcError);
    expect(error).toMatchObject({ code: -32603, data: expect.stringContaining('must be less than or equal') });
  });

  test('runs beside others, each a chain of its own', async () => {
    const [one, other] = await Promise.all([started(), started({ chainId: 'other_5-1' })]);
    await transfer(one);
    expect(await height(one)).toBe((await height(other)) + 1n);
    await one.stop();
    expect(await height(other)).toBeGreaterThan(0n);
  });

  test('keeps a home, continues its chain, and locks it', async () => {
    const home = temporaryFolder();
    const first = await started({ home });
    const block = await transfer(first);
    await expect(startNode({ home })).rejects.toMatchObject({ name: 'StartFailed', code: 'E_HOME_LOCKED' });
    await first.stop();
    expect(await height(await started({ home }))).toBeGreaterThanOrEqual(block);
    expect(existsSync(join(home, 'data', 'chronicle.db'))).toBe(true);
  });

  test('rejects a wait for a receipt when it is stopped', async () => {
    const node = await started();
    const waiting = node.receipt(`0x${'00'.repeat(32)}`);
    await Promise.all([expect(waiting).rejects.toThrow('the node was stopped'), node.stop()]);
  });
});

describe('a node that cannot start', () => {
  test.each<[string, StartOptions, RegExp]>([
    ['an invalid port', { ports: { comet: 70_000 } }, /ports\.comet/],
    ['a port without one above it', { ibc: true, ports: { comet: 65_500 } }, /ports\.comet/],
    ['no account', { accounts: { count: 0 } }, /--accounts/],
    ['words that are no mnemonic', { accounts: { mnemonic: 'test test' } }, /--mnemonic/],
    ['blocks at no interval', { mining: { intervalMs: 0 } }, /--block-time/],
    ['a chain that is kept nowhere', { ephemeral: false }, /home/],
  ])('refuses %s', async (_, options, message) => {
    const error = await startNode(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartFailed);
    expect(error).toMatchObject({ code: 'E_CONFIG', message: expect.stringMatching(message) });
  });

  test('names the taken port, and leaves no folder', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    afterwards(() => void other.close());
    const address = other.address();
    const before = readdirSync(tmpdir());
    await expect(
      startNode({ ports: { rest: typeof address === 'object' ? (address?.port ?? 0) : 0 } }),
    ).rejects.toMatchObject({ name: 'StartFailed', code: 'E_PORT_IN_USE' });
    expect(
      readdirSync(tmpdir()).filter((name) => !before.includes(name) && name.startsWith('chronicle-home-')),
    ).toEqual([]);
  });
});
