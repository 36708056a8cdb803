import { describe, expect, it } from 'vitest';
import { MsgUpdateParamsSchema as FeeMarketUpdate } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { MsgUpdateParamsSchema as EvmUpdate } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { account, DevChain, signed } from '../../app/dev-chain.js';
import { achr, any, GOV, GovChain } from './gov-chain.js';

const p256 = '0x0000000000000000000000000000000000000100';
const FEE_MARKET = {
  baseFeeChangeDenominator: 8,
  elasticityMultiplier: 2,
  baseFee: '7',
  minGasPrice: '0',
  minGasMultiplier: '0',
};

describe('a proposal', () => {
  const submit = (message: ReturnType<typeof any>) =>
    new GovChain().send(0, MsgSubmitProposalSchema, {
      proposer: account(0).address,
      initialDeposit: achr(1000n),
      title: 'a title',
      summary: 'a summary',
      metadata: 'ipfs://x',
      messages: [message],
    });

  it.each([
    [
      `duplicate precompile ${p256}`,
      any(EvmUpdate, { authority: GOV, params: { activeStaticPrecompiles: [p256, p256] } }),
    ],
    [
      'identifier x has invalid length: 1, must be between 8-64 characters: invalid identifier: invalid channel identifier',
      any(EvmUpdate, { authority: GOV, params: { evmChannels: ['x'] } }),
    ],
    [
      'elasticity multiplier cannot be zero: 0',
      any(FeeMarketUpdate, { authority: GOV, params: { ...FEE_MARKET, elasticityMultiplier: 0 } }),
    ],
    ['invalid authority address: empty address string is not allowed', any(EvmUpdate, { authority: '' })],
  ])('is refused for an invalid message: %s', (text, message) => {
    expect(submit(message)).toEqual({
      code: 12,
      codespace: 'gov',
      log: `failed to execute message; message index: 0: ${text}: invalid proposal message`,
    });
  });

  it('is accepted with a valid message, and a panic or undecodable bytes keep their code', () => {
    const update = (baseFee: string) =>
      submit(any(FeeMarketUpdate, { authority: GOV, params: { ...FEE_MARKET, baseFee } }));
    expect(update('7')).toEqual({ code: 0, codespace: '', log: '' });
    expect(update('')).toMatchObject({ code: 111222, codespace: 'undefined' });
    expect(update('seven')).toMatchObject({ code: 2, codespace: 'sdk' });
  });
});

describe('an invalid message of a transaction', () => {
  const dev = new DevChain();
  const wrong = { params: { activeStaticPrecompiles: ['0x100'] }, authority: account(0).address };
  // a sequence that the ante rules would refuse
  const tx = signed(0, 99n, EvmUpdate, wrong);
  const refusal = { code: 1, codespace: 'undefined', log: 'invalid precompile 0x100', gasWanted: 0n, gasUsed: 0n };

  it('is refused before the ante rules at admission', () => {
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), tx)).toMatchObject(refusal);
  });

  it('is refused before the ante rules in a block, which takes no fee', () => {
    const result = dev.block(tx);
    if (result.kind !== 'executed') throw new Error(result.reason);
    expect(result.results.txResults).toMatchObject([{ ...refusal, events: [] }]);
  });
});
