/**
 * Texts of messages that are not UTF-8: evmd v0.6.0 executes them and keeps their bytes, but for the messages whose
 * signers it reads by reflection (found by `test/peer/messages`, seeds 5001, 5004 and 9005).
 */
import { type DescMessage } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { concat, text, utf8 } from '../../../../src/core/bytes/bytes.js';
import { hex } from '../../../../src/core/bytes/hex.js';
import { feemarketModule } from '../../../../src/core/modules/feemarket/module.js';
import { govModule } from '../../../../src/core/modules/gov/module.js';
import { transferModule } from '../../../../src/core/modules/transfer/module.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/tx_pb.js';
import {
  MsgSubmitProposalSchema,
  MsgVoteSchema as VoteSchema,
} from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgVoteSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { MsgTransferSchema } from '../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { account, DevChain, signed } from '../../app/dev-chain.js';
import { encode } from '../../../support/encode.js';

const ODD = Uint8Array.of(0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80);

function resultOf(dev: DevChain, bytes: Uint8Array) {
  const block = dev.block(bytes);
  if (block.kind !== 'executed') throw new Error(block.kind);
  const result = block.results.txResult(0);
  if (result === undefined) throw new Error('there is a result');
  return result;
}

describe('texts that are not UTF-8', () => {
  it('are stored unchanged', () => {
    const dev = new DevChain();
    const proposal = {
      proposer: account(0).address,
      title: 'odd',
      summary: 'odd',
      metadata: text(ODD),
      initialDeposit: [{ denom: 'achr', amount: '1000000000000000000' }],
    };
    const { code, log } = resultOf(dev, signed(0, 0n, MsgSubmitProposalSchema, proposal, { gas: 1_000_000n }));
    expect(log).toBe('');
    expect(code).toBe(0);
    const values = [...dev.state.range('gov', { start: new Uint8Array() })].map(({ value }) => hex(value));
    expect(values.some((value) => value.includes(hex(ODD)))).toBe(true);
  });

  it('are measured in bytes where their length is limited', () => {
    const memo = (length: number): number =>
      resultOf(
        new DevChain(),
        signed(
          0,
          0n,
          MsgSendSchema,
          {
            fromAddress: account(0).address,
            toAddress: account(1).address,
            amount: [{ denom: 'achr', amount: '1' }],
          },
          { memo: text(new Uint8Array(length).fill(0xff)) },
        ),
      ).code;
    expect([memo(256), memo(257)]).toEqual([0, 12]);
  });

  it('are refused as an address, with an error that holds their bytes', () => {
    const toAddress = text(ODD);
    const { code, log } = resultOf(
      new DevChain(),
      signed(0, 0n, MsgSendSchema, {
        fromAddress: account(0).address,
        toAddress,
        amount: [{ denom: 'achr', amount: '1' }],
      }),
    );
    expect(code).toBe(7);
    const before = 'failed to execute message; message index: 0: invalid to address: unknown address format: ';
    expect(utf8(log)).toEqual(concat(utf8(before), ODD, utf8(': unknown address: invalid address')));
  });
});

describe('signers of IBC messages', () => {
  const handler = transferModule.messages.find(({ typeUrl }) => typeUrl === `/${MsgTransferSchema.typeName}`);
  const signersOf = (message: { readonly receiver: string; readonly denom: string }) =>
    handler?.signers(
      encode(MsgTransferSchema, {
        sender: 'someone',
        receiver: message.receiver,
        token: { denom: message.denom, amount: '1' },
      }),
      'cosmos',
    );

  it('are read only when all texts are UTF-8', () => {
    expect(signersOf({ receiver: 'Zürich \ufffd', denom: 'atest' })).toEqual(['someone']);
    expect(() => signersOf({ receiver: text(ODD), denom: 'atest' })).toThrow(
      'cannot unmarshal msg /ibc.applications.transfer.v1.MsgTransfer: proto: field ' +
        'ibc.applications.transfer.v1.MsgTransfer.receiver contains invalid UTF-8',
    );
    expect(() => signersOf({ receiver: 'someone', denom: text(ODD) })).toThrow(
      'field cosmos.base.v1beta1.Coin.denom contains invalid UTF-8',
    );
    expect(utf8(text(ODD))).toEqual(ODD);
  });
});

describe('signers of messages that evmd reads by reflection', () => {
  const messages = [...govModule.messages, ...feemarketModule.messages];
  const signersOf = (schema: DescMessage, value: Uint8Array) =>
    messages.find(({ typeUrl }) => typeUrl === `/${schema.typeName}`)?.signers(value, 'cosmos');

  it('are read only when all texts are UTF-8', () => {
    const vote = encode(MsgVoteSchema, { voter: text(ODD) });
    expect(() => signersOf(MsgVoteSchema, vote)).toThrow(
      'cannot unmarshal msg /cosmos.gov.v1beta1.MsgVote: proto: field cosmos.gov.v1beta1.MsgVote.voter contains ' +
        'invalid UTF-8',
    );
    const update = encode(MsgUpdateParamsSchema, { authority: text(ODD), params: {} });
    expect(() => signersOf(MsgUpdateParamsSchema, update)).toThrow(
      'field cosmos.evm.feemarket.v1.MsgUpdateParams.authority contains invalid UTF-8',
    );
  });

  it('may be any bytes in messages of gov v1', () => {
    const vote = encode(VoteSchema, { voter: text(ODD) });
    expect(signersOf(VoteSchema, vote)).toEqual([text(ODD)]);
  });
});
