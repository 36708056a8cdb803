/** Hooks after Ethereum transactions: what listeners see and do, and which state remains when one throws. */
import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { FinalizeBlockResult } from '../../../../src/core/application-requests.js';
import { hexData } from '../../../../src/core/bytes/hex.js';
import { getAccount } from '../../../../src/core/modules/auth/accounts.js';
import { getBalance } from '../../../../src/core/modules/bank/balances.js';
import { sendAmount } from '../../../../src/core/modules/bank/transfer.js';
import { callContract } from '../../../../src/core/modules/evm/internal-call.js';
import { getCodeHash, getStorage, isEmptyCodeHash } from '../../../../src/core/modules/evm/store.js';
import { getDelegation } from '../../../../src/core/modules/staking/delegations.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import type { EthereumHooks } from '../../../../src/core/sdk/module/hooks.js';
import { plainError } from '../../../../src/core/sdk/module/sdk-error.js';
import { brokenInvariants, chain, contextOf, DevChain } from '../dev-chain.js';
import { addressOf, bytesOf, evm, type Fields, GWEI, signer, tx, wrap } from '../ethereum-chain.js';
import { responseOf } from '../recorded-evm.js';
import { usageHooks, usedBy, withListeners } from './listener.js';

const STAKING: Hex = '0x0000000000000000000000000000000000000800';
const SLOT = new Uint8Array(32);
/** Deploys code that adds one to slot 0 and logs; with a value it reverts. */
const COUNTER: Hex = '0x6015600a5f3960155ff33460115760015f54015f5560075f5fa1005b5f5ffd';
/** A transaction whose sender pays 2 gwei for each gas. */
const send = (from: number, fields: Fields): Promise<Uint8Array> =>
  tx(from, { maxPriorityFeePerGas: 2n * GWEI, ...fields });
const refuses = (name: string, reason = 'no'): EthereumHooks => ({
  name,
  postTxProcessing() {
    throw plainError(reason);
  },
});

function results(block: FinalizeBlockResult) {
  if (block.kind !== 'executed') throw new Error(block.reason);
  return block.results.txResults;
}

/** Responses of a block of Ethereum transactions. */
const responses = (block: FinalizeBlockResult) => results(block).map(({ data }) => responseOf(data));
const balance = (dev: DevChain, index: number): bigint => getBalance(contextOf(dev), addressOf(index), 'achr');
const nonce = (dev: DevChain, index: number): bigint | undefined =>
  getAccount(contextOf(dev), addressOf(index))?.base.sequence;
const to = (index: number): Hex => hexData(addressOf(index)) as Hex;
const bloomOf = (block: FinalizeBlockResult): string | undefined =>
  block.kind === 'executed'
    ? block.results.events.find(({ type }) => type === 'block_bloom')?.attributes[0]?.value
    : undefined;

/** A chain whose first block deployed the counter. */
async function chainWithCounter(hooks: readonly EthereumHooks[]): Promise<{ dev: DevChain; counter: Uint8Array }> {
  const created: Uint8Array[] = [];
  const watching: EthereumHooks = {
    name: 'watching',
    postTxProcessing: (_, executed) => void (executed.created && created.push(executed.created)),
  };
  const dev = new DevChain({ evm, version: withListeners(watching) });
  expect(responses(dev.block(await send(3, { nonce: 0, data: COUNTER, gas: 200_000n })))).toMatchObject([
    { vmError: '' },
  ]);
  const [counter] = created;
  if (counter === undefined) throw new Error('no contract');
  dev.build({ evm, version: withListeners(...hooks) });
  return { dev, counter };
}

describe('a listener of Ethereum transactions', () => {
  it('receives the facts of each receipt, and its writes and events belong to the transaction', async () => {
    const usage = usageHooks();
    const { dev, counter } = await chainWithCounter([usage]);
    const target = hexData(counter) as Hex;
    const block = dev.block(
      await send(0, { nonce: 0, to: target, gas: 100_000n }),
      await send(1, { nonce: 0, to: target, gas: 100_000n, value: 1n }),
      await send(0, { nonce: 1, to: to(2), value: 5n }),
    );
    const answers = responses(block);
    expect(
      usage.told.map(({ status, index, sender, gasUsed, logs, created, hash, transaction }) => ({
        status,
        index,
        sender,
        gasUsed,
        logs: logs.length,
        created,
        hash,
        value: transaction.value,
      })),
    ).toEqual(
      [
        { status: 'success', index: 0, sender: addressOf(0), logs: 1, value: 0n },
        { status: 'failed', index: 1, sender: addressOf(1), logs: 0, value: 1n },
        { status: 'success', index: 2, sender: addressOf(0), logs: 0, value: 5n },
      ].map((facts, at) => ({ ...facts, created: undefined, hash: answers[at]?.hash, gasUsed: answers[at]?.gasUsed })),
    );
    expect(answers.map(({ vmError }) => vmError)).toEqual(['', 'execution reverted', '']);
    const [first, second, third] = answers.map(({ gasUsed }) => gasUsed);
    expect(usedBy(dev.state, addressOf(0))).toBe((first ?? 0n) + (third ?? 0n));
    expect(usedBy(dev.state, addressOf(1))).toBe(second);
    for (const { events } of results(block)) {
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === 'usage')).toHaveLength(1);
      expect(types.indexOf('usage')).toBeLessThan(types.lastIndexOf('ethereum_tx'));
    }
    expect(getStorage(contextOf(dev), counter, SLOT)).toEqual(new Uint8Array(32).fill(1, 31));
  });

  it('leaves writes, results and bloom the same when it does nothing', async () => {
    const played = async (...hooks: readonly EthereumHooks[]) => {
      const { dev, counter } = await chainWithCounter(hooks);
      const target = hexData(counter) as Hex;
      const block = dev.block(
        await send(0, { nonce: 0, to: target, gas: 100_000n }),
        await send(1, { nonce: 0, to: target, gas: 100_000n, value: 1n }),
        await send(2, { nonce: 0, data: COUNTER, gas: 200_000n }),
        await send(0, { nonce: 1, to: to(3), value: 5n }),
        await send(1, { nonce: 1, to: STAKING, data: delegation(1), gas: 400_000n }),
      );
      if (block.kind !== 'executed') throw new Error(block.reason);
      return { writes: block.writes, results: block.results.txResults, bloom: bloomOf(block) };
    };
    const alone = await played();
    expect(await played({ name: 'silent', postTxProcessing: () => undefined })).toEqual(alone);
    expect(alone.results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  });

  it('runs in simulations, but not in calls or CheckTx', async () => {
    const usage = usageHooks();
    const { dev, counter } = await chainWithCounter([usage]);
    const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
    const call = { from: addressOf(0), to: counter, data: new Uint8Array(), value: 0n };
    expect(dev.app.ethereum?.call(dev.state, at, call, [], {})).toMatchObject({ kind: 'success' });
    const sent = await send(0, { nonce: 0, to: to(2), value: 5n });
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), sent).code).toBe(0);
    expect(usage.told).toEqual([]);
    expect(dev.app.simulate(dev.state, dev.at(), sent)).toMatchObject({ ok: true });
    expect(usage.told).toHaveLength(1);
    expect(usedBy(dev.state, addressOf(0))).toBe(0n);
  });

  it('may move coins, and the next transaction sees the new balances', async () => {
    const { dev } = await chainWithCounter([
      {
        name: 'giving',
        postTxProcessing(context, { index }) {
          const amount = { denom: 'achr', amount: 9_990n * 10n ** 18n };
          if (index === 1) sendAmount(context, addressOf(2), addressOf(3), amount);
        },
      },
    ]);
    const before = balance(dev, 3);
    const block = dev.block(
      // The engine caches the balance of account 3 here.
      await send(1, { nonce: 0, to: to(3), value: 1n }),
      await send(0, { nonce: 0, to: to(2), value: 1n }),
      await send(1, { nonce: 1, to: to(3), value: 1n }),
    );
    expect(responses(block).map(({ vmError }) => vmError)).toEqual(['', '', '']);
    expect(balance(dev, 3)).toBe(before + 2n + 9_990n * 10n ** 18n);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('may call contracts, and the next transaction sees their new storage', async () => {
    let counter: Uint8Array = new Uint8Array();
    const { dev, counter: made } = await chainWithCounter([
      {
        name: 'calling',
        postTxProcessing(context, { index }) {
          if (index === 1)
            callContract(context, { from: addressOf(3), to: counter, data: new Uint8Array(), writes: true });
        },
      },
    ]);
    counter = made;
    const target = hexData(counter) as Hex;
    const block = dev.block(
      await send(0, { nonce: 0, to: target, gas: 100_000n }),
      await send(1, { nonce: 0, to: to(2), value: 1n }),
      await send(0, { nonce: 1, to: target, gas: 100_000n }),
    );
    expect(responses(block).map(({ vmError, gasUsed }) => [vmError, gasUsed === 21_000n])).toEqual([
      ['', false],
      ['', true],
      ['', false],
    ]);
    expect(getStorage(contextOf(dev), counter, SLOT)).toEqual(new Uint8Array(32).fill(3, 31));
  });
});

const ABI = parseAbi(['function delegate(address delegator, string validator, uint256 amount) returns (bool)']);
const delegation = (from: number): Hex =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'delegate',
    args: [to(from), encodeAddress('chronvaloper', addressOf(0)), 5n],
  });

describe('a listener that refuses', () => {
  const REFUSED = 'failed to execute post transaction processing: EVM hook strict failed: no';

  it('undoes the transaction; fee, gas and nonce stay, and vm_error gives the reason', async () => {
    const { dev, counter } = await chainWithCounter([refuses('strict')]);
    const target = hexData(counter) as Hex;
    const before = [0, 1, 2].map((index) => balance(dev, index));
    const block = dev.block(
      await send(0, { nonce: 0, to: to(2), value: 5n }),
      await send(1, { nonce: 0, to: target, gas: 100_000n }),
      await send(0, { nonce: 1, data: COUNTER, gas: 200_000n }),
    );
    const answers = responses(block);
    expect(answers.map(({ vmError, logs }) => [vmError, logs.length])).toEqual([
      [REFUSED, 0],
      [REFUSED, 0],
      [REFUSED, 0],
    ]);
    expect(results(block).map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const { events } of results(block))
      expect(
        events.flatMap(({ attributes }) => attributes).filter(({ key }) => key === 'ethereumTxFailed'),
      ).toMatchObject([{ value: REFUSED }]);
    const gas = answers.map(({ gasUsed }) => gasUsed);
    expect(gas[0]).toBe(21_000n);
    expect(gas[1]).toBeGreaterThan(21_000n);
    const paid = [(gas[0] ?? 0n) + (gas[2] ?? 0n), gas[1] ?? 0n, 0n];
    expect([0, 1, 2].map((index) => balance(dev, index))).toEqual(
      before.map((amount, index) => amount - (paid[index] ?? 0n) * 2n * GWEI),
    );
    expect([nonce(dev, 0), nonce(dev, 1)]).toEqual([2n, 1n]);
    expect(getStorage(contextOf(dev), counter, SLOT)).toBeUndefined();
    expect(bloomOf(block)).toMatch(/^\0{256}$/);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('undoes what precompiles did and what listeners before it wrote', async () => {
    const usage = usageHooks();
    const { dev } = await chainWithCounter([usage, refuses('strict')]);
    const sent = await send(1, { nonce: 0, to: STAKING, data: delegation(1), gas: 400_000n });
    const block = dev.block(sent);
    expect(responses(block)).toMatchObject([{ vmError: REFUSED, logs: [] }]);
    expect(getDelegation(contextOf(dev), addressOf(1), addressOf(0))).toBeUndefined();
    const types = results(block).flatMap(({ events }) => events.map(({ type }) => type));
    expect(types).not.toContain('delegate');
    // The writes and events of the listener before it are undone too.
    expect(types).not.toContain('usage');
    expect(usedBy(dev.state, addressOf(1))).toBe(0n);
    expect(brokenInvariants(dev)).toEqual([]);

    dev.build({ evm, version: withListeners(usage) });
    const again = await send(1, { nonce: 1, to: STAKING, data: delegation(1), gas: 400_000n });
    expect(responses(dev.block(again))).toMatchObject([{ vmError: '' }]);
    expect(getDelegation(contextOf(dev), addressOf(1), addressOf(0))?.shares).toBe(5n * 10n ** 18n);
  });

  it('hides the undone transaction from the next transactions of the block', async () => {
    const { dev, counter } = await chainWithCounter([
      {
        name: 'first',
        postTxProcessing(_, { index }) {
          if (index === 0) throw plainError('no');
        },
      },
    ]);
    const target = hexData(counter) as Hex;
    const block = dev.block(
      await send(0, { nonce: 0, to: target, gas: 100_000n }),
      await send(1, { nonce: 0, to: target, gas: 100_000n }),
      await send(2, { nonce: 0, to: to(1), value: 1n }),
    );
    expect(responses(block).map(({ vmError, logs }) => [vmError === '', logs.length])).toEqual([
      [false, 0],
      [true, 1],
      [true, 0],
    ]);
    expect(responses(block)[1]?.logs[0]?.index).toBe(0n);
    expect(getStorage(contextOf(dev), counter, SLOT)).toEqual(new Uint8Array(32).fill(1, 31));
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('replaces the vm_error of a transaction that had already failed', async () => {
    const { dev, counter } = await chainWithCounter([usageHooks(), refuses('strict')]);
    const block = dev.block(await send(1, { nonce: 0, to: hexData(counter) as Hex, gas: 100_000n, value: 1n }));
    expect(responses(block)).toMatchObject([{ vmError: REFUSED, logs: [] }]);
    expect(usedBy(dev.state, addressOf(1))).toBe(0n);
    expect(nonce(dev, 1)).toBe(1n);
  });

  it('keeps the EIP-7702 authorizations of a transaction that reverted, but not of one that it undoes', async () => {
    const { dev, counter } = await chainWithCounter([refuses('strict')]);
    const delegating = async (authority: number, value: bigint): Promise<Uint8Array> => {
      const { address } = signer(authority);
      const target = { contractAddress: hexData(counter) as Hex, chainId: Number(chain.evmChainId), nonce: 0 };
      const raw = await signer(0).signTransaction({
        type: 'eip7702',
        chainId: Number(chain.evmChainId),
        nonce: authority - 1,
        gas: 200_000n,
        maxFeePerGas: 2n * GWEI,
        maxPriorityFeePerGas: 0n,
        to: address,
        value,
        authorizationList: [await signer(authority).signAuthorization(target)],
      });
      return wrap(bytesOf(raw), 0);
    };
    // The counter reverts when it receives a value.
    const block = dev.block(await delegating(1, 1n), await delegating(2, 0n));
    expect(responses(block).map(({ vmError }) => vmError)).toEqual([REFUSED, REFUSED]);
    expect([nonce(dev, 1), nonce(dev, 2)]).toEqual([1n, 0n]);
    expect([1, 2].map((index) => isEmptyCodeHash(getCodeHash(contextOf(dev), addressOf(index))))).toEqual([
      false,
      true,
    ]);
  });

  it('aborts the block and changes no state when it throws an unexpected error', async () => {
    const { dev } = await chainWithCounter([
      {
        name: 'broken',
        postTxProcessing() {
          throw new TypeError('a defect');
        },
      },
    ]);
    const sent = await send(0, { nonce: 0, to: to(1), value: 1n });
    const height = dev.height;
    expect(() => dev.block(sent)).toThrow('a defect');
    expect([dev.height, nonce(dev, 0)]).toEqual([height, 0n]);
  });
});
