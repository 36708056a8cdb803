/** ProcessProposal: which proposals validators accept, and for which they prevote nil. */
import { describe, expect, it } from 'vitest';
import type { ProcessProposalResult } from '../../../src/core/application-requests.js';
import { evmd } from '../../../src/core/app/presets.js';
import { setBlockFactsTx } from '../../../src/core/modules/dev/set-block-facts.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { account, chain, DevChain, signed } from './dev-chain.js';
import { PropertyChain } from './properties/chain.js';
import { achr, any, person } from './properties/people.js';

const send = (sequence: bigint, change: Parameters<typeof signed>[4] = {}, from = 0): Uint8Array =>
  signed(
    from,
    sequence,
    MsgSendSchema,
    { fromAddress: account(from).address, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] },
    change,
  );

function judged(dev: DevChain, ...txs: readonly Uint8Array[]): string {
  return textOf(dev.app.processProposal(dev.state, dev.next(txs)));
}

const textOf = (result: ProcessProposalResult): string =>
  result.kind === 'accepted' ? 'accepted' : `${result.index}: ${result.reason}`;

describe('a proposal', () => {
  it.each<[string, readonly Uint8Array[], string]>([
    ['without transactions', [], 'accepted'],
    ['of transactions in order', [send(0n), send(1n), send(0n, {}, 1)], 'accepted'],
    ['of a message that will fail', [send(0n, { gas: 100_000n, memo: 'm' })], 'accepted'],
    ['with bytes that are no transaction', [send(0n), Uint8Array.of(1, 2, 3)], 'tx parse error'],
    ['with a gap', [send(0n), send(2n)], '1: account sequence mismatch, expected 1, got 2: incorrect account sequence'],
    ['with the same transaction twice', [send(0n), send(0n)], '1: account sequence mismatch, expected 1, got 0'],
    ['with a wrong signature', [send(0n, { chainId: 'other' })], '0: signature verification failed'],
    ['with a fee below the base fee', [send(0n, { fee: 1n })], '0: '],
    ['with more gas than a block has', [send(0n, { gas: 31_000_000n })], '0: tx gas limit 31000000 exceeds'],
  ])('%s is judged "%s"', (_, txs, expected) => {
    expect(judged(new DevChain(), ...txs)).toMatch(expected);
  });

  it('is accepted without checking signatures that are marked as verified', () => {
    const dev = new DevChain();
    const request = { ...dev.next([send(0n, { chainId: 'other' })]), verified: new Set([0]) };
    expect(textOf(dev.app.processProposal(dev.state, request))).toBe('accepted');
  });

  it('is accepted below the minimum gas price of the node', () => {
    const dev = new DevChain({ chain: { ...chain, minGasPrice: 10n ** 15n } });
    const checked = dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), send(0n));
    expect(checked.code).toBe(13);
    expect(judged(dev, send(0n))).toBe('accepted');
  });

  it('is judged by the next base fee that dev mode set, as CheckTx is', () => {
    const dev = new DevChain();
    const free = send(0n, { fee: 1n });
    expect(judged(dev, free)).toMatch(/gas prices too low/u);
    dev.block(setBlockFactsTx({ sequence: 0n }, { nextBaseFee: 0n }));
    expect(judged(dev, free)).toBe('accepted');
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), free).log).toBe('');
  });

  it('is accepted again when judged twice, because the judgement changes no state', () => {
    const dev = new DevChain();
    expect(judged(dev, send(0n))).toBe('accepted');
    expect(judged(dev, send(0n))).toBe('accepted');
  });

  it('is refused when the sum of gas limits exceeds the block gas limit (preset evmd)', () => {
    const evm = new PropertyChain(evmd, {
      downtimeFraction: '0.010000000000000000',
      doubleSignFraction: '0.010000000000000000',
      maxValidators: 1,
      unbondingSeconds: 1,
    });
    const message = any(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)] });
    const of = (count: number) => Array.from({ length: count }, (_, index) => evm.tx(0, [message], BigInt(index)));
    const judge = (txs: readonly Uint8Array[]) =>
      textOf(
        evm.app.processProposal(evm.state, {
          chainId: chain.chainId,
          height: toHeight(1n),
          time: toTimeNs(evm.time),
          txs,
          verified: new Set(txs.keys()),
        }),
      );
    // 3,000,000 gas each, 30,000,000 in a block
    expect(judge(of(10))).toBe('accepted');
    expect(judge(of(11))).toBe('10: the gas limits exceed that of a block, 30000000');
  });
});
