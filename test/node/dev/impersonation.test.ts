/** Transactions of impersonated senders over a whole simulated node: in blocks, in replays, and from elsewhere. */
import { describe, expect, it } from 'vitest';
import { hex } from '../../../src/core/bytes/hex.js';
import type { EthereumApi } from '../../../src/core/ethereum/api.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { isUnsignedBy, unsignedBy, type UnsignedTransaction } from '../../../src/core/ethereum/unsigned.js';
import { wrapEthereumTransaction } from '../../../src/core/modules/evm/ethereum-message.js';
import { DEV_BECH32_PREFIX } from '../../../src/core/genesis/dev-chain.js';
import { requireAddress } from '../../../src/core/sdk/codec/address.js';
import { toHeight } from '../../../src/core/primitives.js';
import { accounts, simulate, type SimulatedNode } from '../simulated-node.js';
import { chain } from '../../core/app/dev-chain.js';
import { blockAt, devOf, firing, head, judge } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const CONTRACT = new Uint8Array(20).fill(0xc0);
const SOMEBODY = new Uint8Array(20).fill(0x5b);
/** STOP: the code of an account without a key. */
const CODE = Uint8Array.of(0);
const ETHER = 10n ** 18n;

function ethereumOf({ node }: SimulatedNode): EthereumApi {
  if (node.ethereum === undefined) throw new Error('no Ethereum face');
  return node.ethereum.api;
}

function transfer(nonce: bigint, amount: bigint): UnsignedTransaction {
  return {
    type: 2,
    chainId: chain.evmChainId,
    nonce,
    gasLimit: 100_000n,
    to: SOMEBODY,
    value: amount,
    data: new Uint8Array(0),
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
  };
}

describe('a transaction without a signature', () => {
  it('moves coins of a contract, and a replay or second execution gives the same bytes', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await firing(simulated, dev.setAccount(CONTRACT, { code: CODE }));
    await firing(simulated, dev.setBalance([CONTRACT], ETHER));
    const first = await firing(simulated, dev.sendUnsigned(transfer(0n, 5n), CONTRACT));
    const second = await firing(simulated, dev.sendUnsigned(transfer(1n, 6n), CONTRACT));
    expect(hex(second)).not.toBe(hex(first));
    await firing(simulated, dev.mine(1, undefined));
    const found = ethereumOf(simulated).transaction(first);
    expect(found?.transaction).toMatchObject({ from: CONTRACT, receipt: { status: 'success', gasUsed: 21_000n } });
    const account = ethereumOf(simulated).account(SOMEBODY, head(simulated).height);
    expect(account).toMatchObject({ ok: true, value: { balance: 11n } });
    const traced = await ethereumOf(simulated).traceTransactions([first], '{"tracer":"callTracer"}', 100_000);
    expect(traced).toMatchObject({ ok: true, value: [{ ok: true }] });
    const states = await ethereumOf(simulated).traceTransactions(
      [second],
      '{"tracer":"prestateTracer","tracerConfig":{"diffMode":true}}',
      100_000,
    );
    const [trace] = states.ok ? (states.value ?? []) : [];
    const { pre, post } = JSON.parse(trace?.ok === true ? trace.json : '{}');
    // a contract begins at 1
    const name = `0x${hex(CONTRACT)}`;
    expect([pre[name].nonce, post[name].nonce]).toEqual([1, 2]);
    await simulated.node.stop();
    await judge(store);
  });

  it('differs for two senders', () => {
    const one = encodeTransaction(unsignedBy(transfer(0n, 1n), CONTRACT));
    expect(hex(encodeTransaction(unsignedBy(transfer(0n, 1n), SOMEBODY)))).not.toBe(hex(one));
    expect(isUnsignedBy(unsignedBy(transfer(0n, 1n), CONTRACT), SOMEBODY)).toBe(false);
  });

  it('is refused when it comes from a client, not from the dev command', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await firing(simulated, dev.setBalance([CONTRACT], ETHER));
    const forged = unsignedBy(transfer(0n, 5n), CONTRACT);
    const raw = encodeTransaction(forged);
    const wrapped = wrapEthereumTransaction(raw, forged, CONTRACT, chain.baseDenom);
    const broadcast = await simulated.node.api.commands.broadcastTx(wrapped);
    expect(broadcast).toMatchObject({ ok: true, value: { codespace: 'sdk', code: 24 } });
    const sent = await ethereumOf(simulated).sendRawTransaction(raw);
    expect(sent).toMatchObject({ ok: false, error: { code: 'tx-refused' } });
    // Another node's block with it, taken back: it is not let in again from elsewhere, either.
    await firing(simulated, dev.snapshot());
    await firing(simulated, dev.sendUnsigned(transfer(0n, 5n), CONTRACT));
    await firing(simulated, dev.mine(1, undefined));
    const included = blockAt(simulated, head(simulated).height)?.block.data?.txs.at(-1);
    await firing(simulated, dev.revert(1n));
    if (included === undefined) throw new Error('the block has a transaction');
    const again = await simulated.node.api.commands.broadcastTx(included);
    expect(again).toMatchObject({ ok: true, value: { codespace: 'sdk', code: 24 } });
    await simulated.node.stop();
  });

  it('is refused, also from the dev command, when the genesis does not allow unsigned transactions', async () => {
    const store = reopenable();
    const simulated = await simulate({ store, unsignedTransactions: false });
    const dev = devOf(simulated);
    await firing(simulated, dev.mine(1, undefined));
    const sender = requireAddress(DEV_BECH32_PREFIX, accounts[0]?.bech32 ?? '', 'sender');
    const sent = await dev.sendUnsigned(transfer(0n, 5n), sender);
    expect(sent).toMatchObject({ ok: false, error: { code: 'tx-refused' } });
    expect(simulated.node.mempool.view.pending).toBe(0);
    await firing(simulated, dev.mine(1, undefined));
    expect(ethereumOf(simulated).account(SOMEBODY, head(simulated).height)).toMatchObject({ value: { balance: 0n } });
    await simulated.node.stop();
    await judge(store);
  });

  it('waits in the pool over several blocks, also for a sender with code', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await firing(simulated, dev.setAccount(CONTRACT, { code: CODE }));
    await firing(simulated, dev.setBalance([CONTRACT], ETHER));
    await firing(simulated, dev.sendUnsigned(transfer(1n, 6n), CONTRACT));
    await firing(simulated, dev.mine(2, undefined));
    expect(simulated.node.mempool.view.queued).toBe(1);
    await firing(simulated, dev.sendUnsigned(transfer(0n, 5n), CONTRACT));
    await firing(simulated, dev.mine(1, undefined));
    expect(ethereumOf(simulated).account(SOMEBODY, toHeight(head(simulated).height))).toMatchObject({
      value: { balance: 11n },
    });
    await simulated.node.stop();
  });
});

it('a pending transaction waits for the next mined block, past blocks of dev commands, with the set facts', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  const { mempool } = simulated.node;
  await firing(simulated, dev.setBalance([CONTRACT], ETHER));
  await firing(simulated, dev.sendUnsigned(transfer(0n, 5n), CONTRACT));
  await firing(simulated, dev.setNextBlockTimestamp(head(simulated).time / 1_000_000_000n + 500n));
  const { time, height } = head(simulated);
  await firing(simulated, dev.setBlockFacts({ nextBaseFee: 9n }));
  await firing(simulated, dev.setBalance([CONTRACT], 2n * ETHER));
  expect(mempool.view.pending).toBe(1);
  await firing(simulated, dev.mine(1, undefined));
  expect(mempool.view.pending).toBe(0);
  const block = ethereumOf(simulated).block(head(simulated).height);
  expect(block).toMatchObject({ height: height + 3n, baseFeePerGas: 9n, timestamp: time / 1_000_000_000n + 500n });
  expect(block?.transactions).toHaveLength(1);
  await simulated.node.stop();
  await judge(store);
});

it('accounts are impersonated one by one or all at once', async () => {
  const simulated = await simulate({ store: reopenable() });
  const { impersonation } = devOf(simulated);
  expect(impersonation.has(CONTRACT)).toBe(false);
  expect(impersonation.start(CONTRACT)).toMatchObject({ ok: true });
  expect([impersonation.has(CONTRACT), impersonation.has(SOMEBODY)]).toEqual([true, false]);
  expect(impersonation.addresses()).toEqual([CONTRACT]);
  impersonation.stop(CONTRACT);
  impersonation.setAutomatic(true);
  expect(impersonation.has(SOMEBODY)).toBe(true);
  await simulated.node.stop();
});
