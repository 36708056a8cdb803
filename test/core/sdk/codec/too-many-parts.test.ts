/** Transactions and queries of too many parts or messages are refused (`messageParts`, `txMessages`). */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { AnySchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { exceededTxLimit } from '../../../../src/core/sdk/codec/message-parts.js';
import { DEFAULT_LIMITS } from '../../../../src/core/limits/limits.js';
import { QueryBalanceRequestSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, codes, DevChain, signed } from '../../app/dev-chain.js';
import { empties } from './empties.js';

type AnyInit = MessageInitShape<typeof AnySchema>;

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const MAXIMUM = DEFAULT_LIMITS.messageParts;

/** A send with this many empty coins. */
function sendOf(count: number): Uint8Array {
  return signed(
    0,
    0n,
    MsgSendSchema,
    {
      fromAddress: account(0).address,
      toAddress: account(1).address,
      amount: Array.from({ length: count }, () => ({})),
    },
    { gas: 10_000_000n },
  );
}

describe('a transaction of too many parts', () => {
  const [few, many] = [sendOf(MAXIMUM - 100), sendOf(MAXIMUM)];

  it('is neither admitted nor simulated, and not decoded', () => {
    const dev = new DevChain();
    const { app, state } = dev;
    const at = dev.at();
    const check = (tx: Uint8Array) => app.checkTx(app.createCheckState(state, at), tx);
    expect(app.describe(many)).toBeUndefined();
    expect(check(many)).toMatchObject({
      code: 21,
      codespace: 'sdk',
      log: `more than ${MAXIMUM} fields (limit messageParts): tx too large`,
    });
    expect(app.simulate(state, at, many)).toMatchObject({ ok: false, code: 21 });
    expect(app.describe(few)).toBeDefined();
    expect(check(few).code).toBe(0);
    expect(app.simulate(state, at, few)).toMatchObject({ ok: false, code: 10 });
  });

  it('is executed as any other when a block holds it', () => {
    expect(codes(new DevChain().block(many))).toEqual([10]);
  });
});

describe('a transaction of too many messages', () => {
  const { txMessages } = DEFAULT_LIMITS;
  const empty = (count: number): AnyInit[] => Array.from({ length: count }, () => ({ typeUrl: SEND }));
  const txOf = (messages: readonly AnyInit[]): Uint8Array =>
    toBinary(
      TxRawSchema,
      create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, create(TxBodySchema, { messages: [...messages] })) }),
    );
  const nested = (count: number): AnyInit => anyOf(LegacyAminoPubKeySchema, { publicKeys: empty(count) });

  const proposed = (count: number): AnyInit => anyOf(MsgSubmitProposalSchema, { messages: empty(count) });

  it.each([
    ['side by side', txOf(empty(txMessages)), txOf(empty(txMessages + 1))],
    ['within another one', txOf([nested(txMessages - 1)]), txOf([nested(txMessages)])],
    ['within a proposal of governance', txOf([proposed(txMessages - 1)]), txOf([proposed(txMessages)])],
  ])('%s is refused before it is decoded, with the name of the limit', (_name, few, many) => {
    const dev = new DevChain();
    const check = (bytes: Uint8Array) => dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes);
    expect(exceededTxLimit(few)).toBeUndefined();
    expect(exceededTxLimit(many)).toBe('txMessages');
    expect(check(few).code).not.toBe(21);
    expect(check(many)).toMatchObject({
      code: 21,
      codespace: 'sdk',
      log: `more than ${txMessages} messages (limit txMessages): tx too large`,
    });
    expect(dev.app.describe(many)).toBeUndefined();
    expect(dev.app.simulate(dev.state, dev.at(), many)).toMatchObject({ ok: false, code: 21 });
    expect(codes(dev.block(many))).not.toContain(21);
  });
});

it('a query of too many parts is refused before it is decoded', () => {
  const dev = new DevChain();
  const ask = (count: number) =>
    dev.app.query(
      dev.state,
      dev.at(),
      '/cosmos.bank.v1beta1.Query/Balance',
      Buffer.concat([
        empties(9, count),
        toBinary(
          QueryBalanceRequestSchema,
          create(QueryBalanceRequestSchema, { address: account(0).address, denom: 'achr' }),
        ),
      ]),
    );
  expect(ask(MAXIMUM - 2)).toMatchObject({ ok: true });
  expect(ask(MAXIMUM - 1)).toMatchObject({
    ok: false,
    log: expect.stringContaining(`code = ResourceExhausted desc = limit messageParts (${MAXIMUM}) exceeded`),
  });
});
