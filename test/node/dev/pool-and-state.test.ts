/** Dropped waiting transactions, and states that are dumped and loaded again, over simulated nodes. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fromHex, hexData, upperHex } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { chain } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';
import { accounts, send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, devOf, firing, head, judge, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

/** Admission yields to the timers of the simulation. */
const admitted = (simulated: SimulatedNode, tx: Uint8Array): Promise<number> =>
  firing(
    simulated,
    admit(simulated, tx).then((value) => ({ ok: true, value })),
  );

const ADDRESS = new Uint8Array(20).fill(7);
const SLOT = new Uint8Array(32).fill(1);
const WORD = new Uint8Array(32).fill(2);

describe('waiting transactions', () => {
  it('are dropped by hash, by sender or all, and can be sent again', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await firing(simulated, dev.mine(1, undefined));
    const { view } = simulated.node.mempool;
    const [first, second, other] = [send(0, 1, 5n, 0n), send(0, 1, 6n, 1n), send(1, 0, 7n, 0n)];
    for (const tx of [first, second, other]) expect(await admitted(simulated, tx)).toBe(0);
    expect(await firing(simulated, dev.dropTransaction(crypto.sha256(other)))).toBe(true);
    expect(await firing(simulated, dev.dropTransaction(crypto.sha256(other)))).toBe(false);
    expect(view.get(upperHex(crypto.sha256(other)))).toBeUndefined();
    expect(await admitted(simulated, other)).toBe(0);
    const sender = simulated.node.chain.application.describe(first)?.accounts[0]?.address ?? '';
    await firing(simulated, dev.dropTransactionsOf(Uint8Array.from(Buffer.from(sender, 'hex'))));
    expect(view.pending + view.queued).toBe(1);
    expect(await admitted(simulated, first)).toBe(0);
    await firing(simulated, dev.dropAllTransactions());
    expect(view.pending + view.queued).toBe(0);
    await firing(simulated, dev.mine(1, undefined));
    expect(await admitted(simulated, first)).toBe(0);
    await firing(simulated, dev.mine(1, undefined));
    expect(simulated.node.api.queries.chain.tx(crypto.sha256(first))?.result.code).toBe(0);
    await simulated.node.stop();
    await judge(store);
  });
});

it('a raw transaction stays in one block only, also after its nonce was lowered and the node restarted', async () => {
  const store = reopenable();
  const sender = privateKeyToAccount(hexData(accounts[0]?.privateKey ?? new Uint8Array(32)) as Hex);
  const signed = await sender.signTransaction({
    type: 'eip1559',
    chainId: Number(chain.evmChainId),
    nonce: 0,
    to: `0x${'07'.repeat(20)}`,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
  });
  const raw = fromHex(signed.slice(2));
  const sendTo = ({ node }: SimulatedNode): Promise<unknown> =>
    node.ethereum?.api.sendRawTransaction(raw) ?? Promise.reject(new Error('no Ethereum face'));
  const first = await simulate({ store });
  await value(devOf(first).mine(1, undefined));
  expect(await sendTo(first)).toMatchObject({ ok: true });
  await value(devOf(first).mine(1, undefined));
  await value(devOf(first).setAccount(fromHex(sender.address.slice(2)), { nonce: 0n }));
  await first.node.stop();
  const second = await simulate({ store });
  await value(devOf(second).mine(1, undefined));
  expect(await sendTo(second)).toMatchObject({ ok: false, error: { code: 'tx-in-cache' } });
  await second.node.stop();
});

describe('a dumped state', () => {
  it('loads into another node in anvil’s format', async () => {
    const from = await simulate({ store: reopenable() });
    await firing(from, devOf(from).setBalance([ADDRESS], 123n));
    await firing(
      from,
      devOf(from).setAccount(ADDRESS, { nonce: 9n, code: Uint8Array.of(1, 2), slots: [{ slot: SLOT, value: WORD }] }),
    );
    const dump = await firing(from, devOf(from).dumpState());
    const { accounts, blocks, best_block_number: number } = JSON.parse(gunzipSync(dump).toString());
    expect(blocks).toMatchObject([{ header: { number: `0x${number.toString(16)}` }, transactions: [], ommers: [] }]);
    expect(number).toBe(Number(head(from).height));
    expect(accounts[`0x${'07'.repeat(20)}`]).toEqual({
      nonce: 9,
      balance: '0x7b',
      code: '0x0102',
      storage: { [`0x${'01'.repeat(32)}`]: `0x${'02'.repeat(32)}` },
    });
    await from.node.stop();

    const store = reopenable();
    const to = await simulate({ store });
    await firing(to, devOf(to).mine(1, undefined));
    await firing(to, devOf(to).loadState(dump));
    const api = to.node.ethereum?.api;
    const { height } = head(to);
    expect(api?.account(ADDRESS, height)).toMatchObject({ value: { balance: 123n, nonce: 9n } });
    expect(api?.code(ADDRESS, height)).toEqual({ ok: true, value: Uint8Array.of(1, 2) });
    expect(api?.storage(ADDRESS, SLOT, height)).toEqual({ ok: true, value: WORD });
    // As in anvil, a nonce is never lowered.
    const lower = `{"accounts":{"0x${'07'.repeat(20)}":{"nonce":3,"balance":"0x1","code":"0x","storage":{}}}}`;
    await firing(to, devOf(to).loadState(new TextEncoder().encode(lower)));
    expect(api?.account(ADDRESS, head(to).height)).toMatchObject({ value: { balance: 1n, nonce: 9n } });
    await to.node.stop();
    await judge(store);
  });

  it('continues from its block number, time, coinbase, gas limit, base fee and PREVRANDAO until a revert', async () => {
    const store = reopenable();
    const to = await simulate({ store });
    await firing(to, devOf(to).mine(1, undefined));
    const id = await firing(to, devOf(to).snapshot());
    const before = head(to);
    const timestamp = before.time / 1_000_000_000n + 5_000n;
    const block = {
      number: '0x9',
      beneficiary: `0x${'cb'.repeat(20)}`,
      timestamp: `0x${timestamp.toString(16)}`,
      gas_limit: 12_345_678,
      basefee: 7_000_000_000,
      prevrandao: `0x${'4a'.repeat(32)}`,
    };
    const accounts = { [`0x${'07'.repeat(20)}`]: { nonce: 3, balance: '0x1', code: '0x', storage: {} } };
    const load = (state: object) => devOf(to).loadState(new TextEncoder().encode(JSON.stringify(state)));
    await firing(to, load({ block, accounts, best_block_number: 12 }));
    const shown = () => to.node.ethereum?.api.block(head(to).height);
    expect(shown()).toMatchObject({
      height: 12n,
      timestamp,
      miner: new Uint8Array(20).fill(0xcb),
      gasLimit: 12_345_678n,
      baseFeePerGas: 7_000_000_000n,
      mixHash: new Uint8Array(32).fill(0x4a),
    });
    await firing(to, devOf(to).mine(1, undefined));
    expect(shown()).toMatchObject({ height: 13n, gasLimit: 12_345_678n, baseFeePerGas: 6_125_000_000n });
    expect((shown()?.timestamp ?? 0n) >= timestamp).toBe(true);
    // an older state: the head stays above it, and its time goes on
    await firing(to, load({ block: { ...block, timestamp: '0x1' }, accounts }));
    expect(shown()).toMatchObject({ height: 16n, baseFeePerGas: 7_000_000_000n });
    expect((shown()?.timestamp ?? 0n) >= timestamp).toBe(true);
    const { height } = head(to);
    expect(await load({ block, accounts, best_block_number: 100_017 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('limit devMineBlocks (100000) exceeded') },
    });
    for (const [member, wrong] of [
      ['number', 'x'],
      ['timestamp', undefined],
      ['beneficiary', '0x12'],
      ['gas_limit', '12'],
    ] as const)
      expect(await load({ block: { ...block, [member]: wrong }, accounts })).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('Could not decode the state') },
      });
    expect(head(to).height).toBe(height);
    await firing(to, devOf(to).revert(id));
    expect(head(to)).toMatchObject({ height: before.height, time: before.time });
    await firing(to, devOf(to).mine(1, undefined));
    expect(shown()?.miner).not.toEqual(new Uint8Array(20).fill(0xcb));
    expect((shown()?.timestamp ?? 0n) < timestamp).toBe(true);
    await to.node.stop();
    await judge(store);
  });

  it.each([
    [
      'a module with a balance above 2^192',
      moduleAddress(crypto, 'fee_collector'),
      { balance: `0x${'f'.repeat(64)}` },
      'the balance of a module',
    ],
    ['a nonce that no account reaches', new Uint8Array(20).fill(8), { nonce: '0xffffffffffffffff' }, 'nonce'],
  ])('changes nothing when it is refused for %s', async (_, address, bad, message) => {
    const store = reopenable();
    const to = await simulate({ store });
    await firing(to, devOf(to).mine(1, undefined));
    const before = head(to);
    const good = { nonce: 3, balance: '0x5', code: '0x6001', storage: {} };
    const dump = JSON.stringify({ accounts: { [hexData(ADDRESS)]: good, [hexData(address)]: bad } });
    const loaded = await firing(
      to,
      devOf(to)
        .loadState(new TextEncoder().encode(dump))
        .then((outcome) => ({ ok: true, value: outcome })),
    );
    expect(loaded).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
    expect(head(to)).toMatchObject({ height: before.height, time: before.time });
    const api = to.node.ethereum?.api;
    await firing(to, devOf(to).mine(1, undefined));
    expect(api?.account(ADDRESS, head(to).height)).toMatchObject({ value: { balance: 0n, nonce: 0n } });
    expect(api?.code(ADDRESS, head(to).height)).toEqual({ ok: true, value: new Uint8Array() });
    await to.node.stop();
    await judge(store);
  });

  it('is parsed only in the needed members, within limits', async () => {
    const simulated = await simulate({ store: reopenable() });
    await firing(simulated, devOf(simulated).mine(1, undefined));
    const before = head(simulated).height;
    const load = (text: string) =>
      firing(
        simulated,
        devOf(simulated)
          .loadState(gzipSync(text))
          .then((outcome) => ({ ok: true, value: outcome })),
      );
    const name = `0x${'07'.repeat(20)}`;
    const { devStateParts, devStateBytes } = DEFAULT_LIMITS;
    for (const [text, limit] of [
      [`{"accounts":{"${name}":{"storage":[${'{},'.repeat(devStateParts)}{}]}}}`, `devStateParts (${devStateParts})`],
      [`{"accounts":${'['.repeat(40)}`, 'jsonDepth (32)'],
      [`{"accounts":{${' '.repeat(devStateBytes)}}}`, `devStateBytes (${devStateBytes})`],
    ] as const)
      expect(await load(text)).toMatchObject({
        error: { message: `Could not decode the state: limit ${limit} exceeded` },
      });
    for (const account of [
      '{"nonce":"0x10000000000000000"}',
      '{"balance":"0x1"}},"block":{"gas_limit":"0x10000000000000000"',
    ])
      expect(await load(`{"accounts":{"${name}":${account}}}`)).toMatchObject({
        error: { message: expect.stringContaining('Could not decode the state') },
      });
    expect(head(simulated).height).toBe(before);
    const history = `{"blocks":[${'{},'.repeat(devStateParts)}{}],"accounts": {"${name}":{"balance":"0x5"}} ,"x":"}"}`;
    expect(await load(history)).toEqual({ ok: true, value: undefined });
    const account = simulated.node.ethereum?.api.account(ADDRESS, head(simulated).height);
    expect(account).toMatchObject({ value: { balance: 5n } });
    expect(await devOf(simulated).setBlockFacts({ gasLimit: 2n ** 64n })).toMatchObject({
      error: { message: 'gas limit 18446744073709551616 is above 2^64-1' },
    });
    await simulated.node.stop();
  });

  it.each(['', '{}', '{"accounts":{"0x12":{}}}', '\u001f\u008b broken'])(
    'with the text %j is refused',
    async (text) => {
      const simulated = await simulate({ store: reopenable() });
      const before = head(simulated).height;
      expect(await devOf(simulated).loadState(Uint8Array.from(Buffer.from(text, 'latin1')))).toMatchObject({
        ok: false,
        error: { code: 'invalid-params' },
      });
      expect(head(simulated).height).toBe(before);
      await simulated.node.stop();
    },
  );
});
