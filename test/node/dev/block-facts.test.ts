/**
 * Coinbase, gas limit, `extraData`, base fee and PREVRANDAO set by dev commands, over a whole simulated
 * node.
 */
import { expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { headerJson } from '../../../src/core/ethereum/json/block-json.js';
import { encodeHeader } from '../../../src/core/ethereum/header-encoding.js';
import { decodeRlp } from '../../../src/core/ethereum/rlp.js';
import type { EthereumBlock } from '../../../src/core/ethereum/block-view.js';
import { moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { chain } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';
import { simulate, type SimulatedNode } from '../simulated-node.js';
import { devOf, firing, head, judge } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const GWEI = 10n ** 9n;
const COINBASE = new Uint8Array(20).fill(0xcb);
const RANDAO = new Uint8Array(32).fill(0x4a);
const READER = new Uint8Array(20).fill(0x4e);
const MODULE = moduleAddress(crypto, 'fee_collector');
/** Returns COINBASE, PREVRANDAO, BASEFEE and GASLIMIT. */
const CODE = Uint8Array.of(
  ...[0x41, 0x5f, 0x52, 0x44, 0x60, 0x20, 0x52, 0x48, 0x60, 0x40, 0x52, 0x45, 0x60, 0x60, 0x52, 0x60, 0x80, 0x5f, 0xf3],
);

function blockOf({ node }: SimulatedNode): EthereumBlock {
  const block = node.ethereum?.api.block(node.api.queries.chain.head().height);
  if (block === undefined) throw new Error('no block');
  return block;
}

/** Facts of the head as its block's JSON shows them. */
function shown(simulated: SimulatedNode) {
  const { miner, gasLimit, baseFeePerGas, mixHash } = blockOf(simulated);
  return { miner, gasLimit, baseFeePerGas, mixHash };
}

it('block facts set by commands hold for the next blocks, survive a replay, and end with a revert', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  await firing(simulated, dev.setAccount(READER, { code: CODE }));
  await firing(simulated, dev.mine(1, undefined));
  const before = shown(simulated);
  const id = await firing(simulated, dev.snapshot());
  await firing(simulated, dev.setBlockFacts({ coinbase: COINBASE, gasLimit: 60_000n }));
  await firing(simulated, dev.setBlockFacts({ nextBaseFee: 7n * 10n ** 9n, nextPrevRandao: RANDAO }));
  expect(simulated.node.ethereum?.api.nextBaseFee()).toBe(7n * 10n ** 9n);
  await firing(simulated, dev.mine(1, undefined));
  expect(shown(simulated)).toEqual({
    miner: COINBASE,
    gasLimit: 60_000n,
    baseFeePerGas: 7n * 10n ** 9n,
    mixHash: RANDAO,
  });
  const call = await simulated.node.ethereum?.api.call({ to: READER }, head(simulated).height, [], {});
  const output = call?.ok === true && call.value.kind === 'success' ? call.value.output : new Uint8Array(0);
  expect(output.subarray(12, 32)).toEqual(COINBASE);
  expect(output.subarray(32, 64)).toEqual(RANDAO);

  await firing(simulated, dev.mine(1, undefined));
  const after = shown(simulated);
  expect([after.miner, after.gasLimit, after.mixHash]).toEqual([COINBASE, 60_000n, before.mixHash]);
  // EIP-1559 goes on from the fee that was set.
  expect(after.baseFeePerGas).toBe((7n * 10n ** 9n * 7n) / 8n);
  // A block smaller than any transaction still takes the commands.
  await firing(simulated, dev.setBlockFacts({ gasLimit: 1n }));
  await firing(simulated, dev.setBalance([READER], 5n));
  await firing(simulated, dev.setBlockFacts({ coinbase: new Uint8Array(0) }));
  await firing(simulated, dev.mine(1, undefined));
  expect(blockOf(simulated).miner).toEqual(before.miner);

  await firing(simulated, dev.revert(id));
  await firing(simulated, dev.mine(1, undefined));
  const { miner, gasLimit, mixHash } = shown(simulated);
  expect({ miner, gasLimit, mixHash }).toEqual({
    miner: before.miner,
    gasLimit: before.gasLimit,
    mixHash: before.mixHash,
  });
  await simulated.node.stop();
  await judge(store);
});

it.each(['manual', 'instant'] as const)(
  'facts set for the next block wait while other commands make their own blocks (mining %s)',
  async (kind) => {
    const store = reopenable();
    const simulated = await simulate({
      store,
      mining: kind === 'manual' ? { kind } : { kind, heartbeatMs: undefined },
    });
    const dev = devOf(simulated);
    await firing(simulated, dev.mine(1, undefined));
    await firing(simulated, dev.mine(1, undefined));
    const second = head(simulated).time / 1_000_000_000n;
    const at = second + 1_000n;
    await firing(simulated, dev.setNextBlockTimestamp(at));
    await firing(simulated, dev.setBlockFacts({ nextBaseFee: 9n * GWEI }));
    await firing(simulated, dev.setBlockFacts({ nextPrevRandao: RANDAO }));
    await firing(simulated, dev.setBlockFacts({ coinbase: COINBASE }));
    await firing(simulated, dev.setBalance([READER], 5n));
    // A setter that fails makes a block, too.
    expect((await dev.setBlockFacts({ nextBaseFee: 1n << 255n })).ok).toBe(false);
    expect(simulated.node.ethereum?.api.nextBaseFee()).toBe(9n * GWEI);
    expect(blockOf(simulated).timestamp).toBe(second);
    const before = head(simulated).height;
    await firing(simulated, dev.mine(1, undefined));
    expect(head(simulated).height).toBe(before + 1n);
    expect(shown(simulated)).toMatchObject({ miner: COINBASE, baseFeePerGas: 9n * GWEI, mixHash: RANDAO });
    expect(blockOf(simulated).timestamp).toBe(at);

    // They were for one block alone, and a later setter does not bring them back.
    await firing(simulated, dev.setBalance([READER], 6n));
    await firing(simulated, dev.mine(1, undefined));
    expect(blockOf(simulated).baseFeePerGas).toBeLessThan(9n * GWEI);
    expect(blockOf(simulated).mixHash).not.toEqual(RANDAO);
    expect(blockOf(simulated).timestamp).toBe(at);
    await simulated.node.stop();
    await judge(store);
  },
);

it('a call on the block of a dev command sees the PREVRANDAO of its header', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.setAccount(READER, { code: CODE }));
  await firing(simulated, dev.setBlockFacts({ nextPrevRandao: RANDAO, nextBaseFee: 9n * GWEI }));
  await firing(simulated, dev.setBalance([READER], 5n));
  await firing(simulated, dev.setBalance([READER], 6n));
  for (const height of [head(simulated).height - 1n, head(simulated).height]) {
    const at = toHeight(height);
    const called = await simulated.node.ethereum?.api.call({ to: READER }, at, [], {});
    const output = called?.ok === true && called.value.kind === 'success' ? called.value.output : new Uint8Array(0);
    expect(output.subarray(32, 64)).toEqual(RANDAO);
    expect(simulated.node.ethereum?.api.block(at)?.mixHash).toEqual(RANDAO);
  }
  await simulated.node.stop();
});

it.each([0n, 9n * GWEI])('gas prices and admission follow a next base fee set to %d', async (fee) => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.setBalance([READER], 10n ** 18n));
  const { api } = simulated.node.ethereum ?? {};
  const ofHead = blockOf(simulated).baseFeePerGas ?? 0n;
  const send = (nonce: bigint, maxFeePerGas: bigint) =>
    dev.sendUnsigned(
      {
        ...{ type: 2, chainId: chain.evmChainId, nonce, gasLimit: 21_000n, to: COINBASE, value: 1n },
        ...{ data: new Uint8Array(0), maxFeePerGas, maxPriorityFeePerGas: 0n, accessList: [] },
      },
      READER,
    );
  expect(ofHead).toBeGreaterThan(0n);
  expect(api?.quotedBaseFee()).toBe(ofHead);
  await firing(simulated, dev.setBlockFacts({ nextBaseFee: fee }));
  expect(api?.quotedBaseFee()).toBe(fee);
  const hash = await firing(simulated, send(0n, fee));
  if (fee > 0n) expect(await send(1n, fee - 1n)).toMatchObject({ ok: false });
  // the block of a dev command keeps both the fee and the transaction waiting
  await firing(simulated, dev.setBalance([COINBASE], 5n));
  expect(api?.quotedBaseFee()).toBe(fee);
  await firing(simulated, dev.mine(1, undefined));
  expect(api?.transaction(hash)?.transaction.receipt).toMatchObject({ status: 'success', effectiveGasPrice: fee });
  await simulated.node.stop();
});

it('a next-block timestamp equal to that of the head waits for the next mined block', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.mine(1, undefined));
  await firing(simulated, dev.mine(1, undefined));
  const second = head(simulated).time / 1_000_000_000n;
  await firing(simulated, dev.setNextBlockTimestamp(second));
  await firing(simulated, dev.setBalance([READER], 5n));
  await firing(simulated, dev.setBalance([READER], 6n));
  await firing(simulated, dev.mine(1, undefined));
  expect(blockOf(simulated).timestamp).toBe(second);
  await simulated.node.stop();
});

it('block facts, code and balances out of range are refused with a message that names the fault', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.mine(1, undefined));
  await firing(simulated, dev.setBalance([READER], 5n));
  const limit = (1n << 63n) - 1n;
  const account = `0x${'4e'.repeat(20)}`;
  for (const [asked, message] of [
    [dev.setBlockFacts({ coinbase: new Uint8Array(19) }), 'a coinbase has 20 bytes'],
    [dev.setBlockFacts({ gasLimit: 0n }), `gas limit 0 is not from 1 to ${limit}`],
    [dev.setBlockFacts({ gasLimit: 1n << 63n }), `gas limit ${1n << 63n} is not from 1 to ${limit}`],
    [dev.setBlockFacts({ nextBaseFee: 1n << 255n }), `base fee ${1n << 255n}`],
    [dev.setBlockFacts({ nextPrevRandao: new Uint8Array(31) }), 'PREVRANDAO has 32 bytes'],
    [dev.setBlockFacts({ extraData: new Uint8Array(33) }), 'extra exceeds max length. 33 > 32'],
    [dev.setAccount(READER, { code: new Uint8Array(131_073) }), 'code has 131073 bytes, limit 131072'],
    [dev.setBalance([MODULE], (1n << 256n) - 1n), 'the balance of a module or of locked coins is at most 2^192'],
    [dev.addBalance([READER], (1n << 256n) - 5n), `the balance of ${account} would be above 2^256-1`],
    [dev.addBalance([MODULE], (1n << 256n) - 6n), 'the balance of a module or of locked coins is at most 2^192'],
  ] as const)
    expect(await asked).toEqual({ ok: false, error: { code: 'invalid-params', message } });
  await simulated.node.stop();
});

it('the header of an ordinary block shows the PREVRANDAO that calls and transactions see', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.setAccount(READER, { code: CODE }));
  await firing(simulated, dev.mine(1, undefined));
  const called = await simulated.node.ethereum?.api.call({ to: READER }, head(simulated).height, [], {});
  const output = called?.ok === true && called.value.kind === 'success' ? called.value.output : new Uint8Array(0);
  expect(output.subarray(32, 64)).toEqual(new Uint8Array(32).fill(0xff));
  expect(blockOf(simulated).mixHash).toEqual(output.subarray(32, 64));
  await simulated.node.stop();
});

it('ecrecover returns the impersonated signer of a signature for every digest, until a revert', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  const [r, s] = [new Uint8Array(32).fill(0x11), new Uint8Array(32).fill(0x12)];
  const signerOf = async (digest: number, v: number): Promise<Uint8Array | undefined> => {
    const data = new Uint8Array(128).fill(digest, 0, 32);
    data[63] = v;
    data.set(r, 64);
    data.set(s, 96);
    const to = new Uint8Array(20);
    to[19] = 1;
    const called = await simulated.node.ethereum?.api.call({ to, data }, head(simulated).height, [], {});
    return called?.ok === true && called.value.kind === 'success' ? called.value.output.subarray(12) : undefined;
  };
  const untold = await signerOf(1, 27);
  const snapshot = await firing(simulated, dev.snapshot());
  const told = (signer: Uint8Array) =>
    firing(
      simulated,
      dev.setBlockFacts({ impersonatedSignature: { signature: Uint8Array.of(...r, ...s, 27), signer } }),
    );
  await told(COINBASE);
  expect([await signerOf(1, 27), await signerOf(2, 27)]).toEqual([COINBASE, COINBASE]);
  expect(await signerOf(1, 28)).not.toEqual(COINBASE);
  await told(READER);
  expect(await signerOf(3, 27)).toEqual(READER);
  await firing(simulated, dev.revert(snapshot));
  expect(await signerOf(1, 27)).toEqual(untold);
  await told(COINBASE);
  await simulated.node.stop();
  await judge(store);
});

it('extraData that is set appears in all later headers until it is set again or a revert', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  await firing(simulated, dev.mine(1, undefined));
  const extraOf = (): readonly unknown[] => {
    const block = blockOf(simulated);
    const decoded = decodeRlp(encodeHeader(block));
    const items = decoded.ok && !(decoded.item instanceof Uint8Array) ? decoded.item : [];
    return [(JSON.parse(headerJson(block)) as { readonly extraData: string }).extraData, items[12]];
  };
  expect(extraOf()).toEqual(['0x', new Uint8Array(0)]);
  const id = await firing(simulated, dev.snapshot());
  const extraData = Uint8Array.of(0xab, 0xcd);
  await firing(simulated, dev.setBlockFacts({ extraData }));
  await firing(simulated, dev.mine(2, undefined));
  expect(extraOf()).toEqual(['0xabcd', extraData]);
  expect(await dev.setBlockFacts({ extraData: new Uint8Array(33) })).toMatchObject({
    ok: false,
    error: { code: 'invalid-params', message: 'extra exceeds max length. 33 > 32' },
  });
  await firing(simulated, dev.setBlockFacts({ extraData: new Uint8Array(0) }));
  await firing(simulated, dev.mine(1, undefined));
  expect(extraOf()).toEqual(['0x', new Uint8Array(0)]);
  await firing(simulated, dev.setBlockFacts({ extraData }));
  await firing(simulated, dev.revert(id));
  await firing(simulated, dev.mine(1, undefined));
  expect(extraOf()).toEqual(['0x', new Uint8Array(0)]);
  await simulated.node.stop();
  await judge(store);
});

it('one block sets or raises the balances of many accounts', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await firing(simulated, dev.mine(1, undefined));
  const { height } = head(simulated);
  const balances = () =>
    [READER, COINBASE].map((account) => {
      const found = simulated.node.ethereum?.api.account(account, head(simulated).height);
      return found?.ok === true ? found.value.balance : undefined;
    });
  await firing(simulated, dev.setBalance([READER, COINBASE], 5n));
  expect([balances(), head(simulated).height]).toEqual([[5n, 5n], height + 1n]);
  await firing(simulated, dev.addBalance([COINBASE, READER], 2n));
  expect([balances(), head(simulated).height]).toEqual([[7n, 7n], height + 2n]);
  await simulated.node.stop();
});
