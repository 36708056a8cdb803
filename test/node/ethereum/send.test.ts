/** Answers to raw Ethereum transactions, before they reach the mempool and when it refuses them. */
import { describe, expect, it } from 'vitest';
import type { Mempool } from '../../../src/actors/mempool/mempool.js';
import { rpcErrorOf } from '../../../src/adapters/eth-rpc/errors.js';
import { recoverSender } from '../../../src/core/ethereum/transaction-sender.js';
import { createSends } from '../../../src/node/ethereum/send.js';
import { chain } from '../../core/app/dev-chain.js';
import { rawOf } from '../../core/app/ethereum-chain.js';
import { crypto } from '../../core/app/support.js';

const POOR = { nonce: 2n, balance: 7n };
const NOBODY = `0x${'00'.repeat(20)}` as const;

describe('a fee above 2^256 - 1', () => {
  const UNSENT: Answer = { ok: false, error: { code: 'halted', reason: 'it was sent' } };
  // 65,536 gas at 2^240 wei is 2^256; the number below it has the divisor 65,535
  const [least, most] = [1n << 240n, ((1n << 256n) - 1n) / 65_535n];
  const refusalOf = async (gas: bigint, maxFeePerGas: bigint, nonce: number): Promise<string> => {
    const overrides = { nonce, to: NOBODY, gas, maxFeePerGas };
    return (await sendOne(UNSENT, false, overrides)).message;
  };
  const cost = 1n << 256n;

  it.each([
    [
      65_536n,
      least,
      2,
      `insufficient funds for gas * price + value: balance 7, tx cost ${cost}, overshot ${cost - 7n}`,
    ],
    [65_536n, least, 1, 'nonce too low: next nonce 2, tx nonce 1'],
    [20_000n, (1n << 256n) - 1n, 2, 'intrinsic gas too low: gas 20000, minimum needed 21000'],
  ])('is refused: %s gas at %s wei, nonce %s', async (gas, price, nonce, text) => {
    expect(await refusalOf(gas, price, nonce)).toBe(text);
  });

  it('is not reached by the largest fee, which is sent', async () => {
    expect(await refusalOf(65_535n, most, 2)).toContain('it was sent');
  });
});

it('a transaction above the pool’s size limit is refused before it is decoded, with the pool’s message', async () => {
  const { raw: send } = createSends({
    crypto,
    senders: { recover: (transaction) => recoverSender(crypto, transaction, 1n) },
    baseDenom: 'achr',
    mayRepeat: () => false,
    revertEnded: () => Promise.resolve(),
    allowUnprotected: false,
    txFeeCap: 0n,
    limits: { txBytes: 100 },
    isMined: () => false,
    accountOf: () => POOR,
    mempool: { broadcast: () => Promise.reject(new Error('nothing is sent')) },
  });
  const refusalOf = async (bytes: number) => {
    const sent = await send(new Uint8Array(bytes));
    return sent.ok ? undefined : rpcErrorOf(sent.error);
  };
  expect(await refusalOf(101)).toEqual({ code: -32000, message: 'oversized data: transaction size 101, limit 100' });
  expect(await refusalOf(100)).toEqual({ code: -32000, message: 'transaction type not supported' });
});

it('a fee above the cap is refused with the message of geth; a cap of 0 refuses none', async () => {
  const sendsWith = (txFeeCap: bigint) =>
    createSends({
      crypto,
      senders: { recover: (transaction) => recoverSender(crypto, transaction, chain.evmChainId) },
      baseDenom: chain.baseDenom,
      mayRepeat: () => false,
      revertEnded: () => Promise.resolve(),
      allowUnprotected: false,
      txFeeCap,
      limits: { txBytes: 1_000 },
      isMined: () => false,
      accountOf: () => POOR,
      mempool: { broadcast: () => Promise.resolve(checked(0, '')) },
    });
  const coin = 10n ** 18n;
  // 100,000 gas at 20,000 gwei: 2 coins
  const dear = await rawOf(1, { nonce: 0, gas: 100_000n, maxFeePerGas: 20_000n * 10n ** 9n });
  const sent = await sendsWith(coin + coin / 2n).raw(dear);
  expect(sent.ok ? undefined : rpcErrorOf(sent.error)).toEqual({
    code: -32000,
    message: 'tx fee (2.00 ether) exceeds the configured cap (1.50 ether)',
  });
  for (const cap of [0n, 2n * coin]) expect((await sendsWith(cap).raw(dear)).ok).toBe(true);
});

type Answer = Awaited<ReturnType<Mempool['broadcast']>>;

const checked = (code: number, log: string): Answer => ({
  ok: true,
  value: {
    $typeName: 'tendermint.abci.ResponseCheckTx',
    code,
    log,
    data: new Uint8Array(),
    info: '',
    gasWanted: 0n,
    gasUsed: 0n,
    events: [],
    codespace: '',
  },
});

async function sendOne(answer: Answer, mined: boolean, transaction: Parameters<typeof rawOf>[1] = { nonce: 0 }) {
  let asked = 0;
  const { raw: send } = createSends({
    crypto,
    senders: { recover: (transaction) => recoverSender(crypto, transaction, chain.evmChainId) },
    baseDenom: chain.baseDenom,
    mayRepeat: () => false,
    revertEnded: () => Promise.resolve(),
    allowUnprotected: false,
    txFeeCap: 0n,
    limits: { txBytes: 1_000 },
    accountOf: () => POOR,
    mempool: { broadcast: () => Promise.resolve(answer) },
    isMined: () => {
      asked += 1;
      return mined;
    },
  });
  const result = await send(await rawOf(1, transaction));
  return { asked, message: result.ok ? 'sent' : rpcErrorOf(result.error).message };
}

describe('a raw transaction', () => {
  it('in a block is refused as already known, whatever the reason of the pool', async () => {
    expect(await sendOne(checked(19, 'nonce too low: next nonce 1, tx nonce 0'), true)).toMatchObject({
      message: 'already known',
    });
    expect(await sendOne({ ok: false, error: { code: 'halted', reason: 'an upgrade is due' } }, true)).toMatchObject({
      message: 'already known',
    });
  });

  it('in no block is refused with the reason of the pool', async () => {
    expect(await sendOne(checked(19, 'nonce too low: next nonce 1, tx nonce 0'), false)).toMatchObject({
      message: 'nonce too low: next nonce 1, tx nonce 0',
    });
    expect(await sendOne({ ok: false, error: { code: 'tx-in-cache' } }, false)).toMatchObject({
      message: 'already known',
    });
  });

  it('is not looked up in blocks when the pool admits it', async () => {
    expect(await sendOne(checked(0, ''), false)).toEqual({ asked: 0, message: 'sent' });
  });
});
