/** ICS-20 transfers between two chains of this process: there and back, refused, and timed out. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { setBalance } from '../../../../../src/core/modules/bank/balances.js';
import { sendPacket } from '../../../../../src/core/modules/ibc/channel/packets.js';
import { escrowAddress } from '../../../../../src/core/modules/transfer/escrow.js';
import { encodePacketData } from '../../../../../src/core/modules/transfer/packet-data.js';
import { PARAMS_KEY } from '../../../../../src/core/modules/transfer/store.js';
import {
  QueryDenomsRequestSchema,
  QueryDenomsResponseSchema,
  QueryTotalEscrowForDenomRequestSchema,
  QueryTotalEscrowForDenomResponseSchema,
} from '../../../../../src/core/proto/ibc/applications/transfer/v1/query_pb.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { ParamsSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/transfer_pb.js';
import {
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import { MsgChannelOpenInitSchema } from '../../../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { encode } from '../../../../support/encode.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain } from './chain.js';
import {
  connect,
  createClients,
  deliver,
  type End,
  openChannel,
  receive,
  synchronize,
  timeout,
  update,
  relay,
  sendPacketOf,
} from './relay.js';
import { balanceOf, supplyOf, voucherOf } from './coins.js';

const MINUTE = 60n;
const NONE = { revisionNumber: 0n, revisionHeight: 0n };

function path() {
  const [a, b] = createClients(new IbcChain('alpha-1'), new IbcChain('beta-4', { prefix: 'other', denom: 'abeta' }));
  connect(a, b);
  openChannel(a, b);
  return { a, b };
}

/** A path whose channel has different names on both chains, because `b` has started another one before. */
function crossed() {
  const [a, b] = createClients(new IbcChain('alpha-1'), new IbcChain('beta-4', { prefix: 'other', denom: 'abeta' }));
  connect(a, b);
  const channel = {
    state: State.INIT,
    ordering: Order.UNORDERED,
    counterparty: { portId: 'transfer' },
    connectionHops: [b.connectionId],
    version: 'ics20-1',
  };
  deliver(b, [anyOf(MsgChannelOpenInitSchema, { portId: 'transfer', channel, signer: b.chain.account(0) })]);
  openChannel(a, b);
  return { a, b };
}

type Fields = Partial<Exclude<MessageInitShape<typeof MsgTransferSchema>, { readonly $typeName: string }>>;

const transfer = (from: End, to: End, denom: string, amount: bigint, change: Fields = {}) =>
  anyOf(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: from.channelId,
    token: { denom, amount: amount.toString() },
    sender: from.chain.account(0),
    receiver: to.chain.account(1),
    timeoutTimestamp: from.chain.now + 10n * MINUTE * 1_000_000_000n,
    ...change,
  });

const send = (...args: Parameters<typeof transfer>): Packet => sendPacketOf(args[0], transfer(...args));

const accountOf = (end: End): Uint8Array => escrowAddress((data) => crypto.sha256(data), end);
const escrowOf = (end: End): string => encodeAddress(end.chain.prefix, accountOf(end));
const refused = ({ codespace, code, log }: ExecTxResult): string =>
  `${codespace} ${code}: ${log.replace('failed to execute message; message index: 0: ', '')}`;
const shown = ({ events }: ExecTxResult, type: string): readonly string[] =>
  events
    .filter((event) => event.type === type)
    .map(({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join(' '));

describe('a token', () => {
  test('goes to the other chain as a voucher, and comes back', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const voucher = voucherOf(b, `transfer/${b.channelId}/${denom}`);
    const supply = supplyOf(a.chain, denom);
    const receiver = b.chain.account(0);
    const { received, answered, answer } = relay(a, b, send(a, b, denom, 1_000n, { receiver, memo: 'a <memo>' }));
    expect(answer).toBe('{"result":"AQ=="}');
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(1_000n);
    expect(balanceOf(b.chain, receiver, voucher)).toBe(1_000n);
    expect(supplyOf(b.chain, voucher)).toBe(1_000n);
    expect(shown(received, 'fungible_token_packet')).toEqual([
      `sender=${a.chain.account(0)} receiver=${receiver} denom=${denom} amount=1000 memo=a <memo> success=true msg_index=1`,
    ]);
    expect(shown(received, 'denomination')[0]).toBe(
      `denom_hash=${voucher.slice(4)} denom={"base":"${denom}","trace":[{"port_id":"transfer","channel_id":"${b.channelId}"}]} msg_index=1`,
    );
    expect(shown(answered, 'fungible_token_packet')[0]).toContain(String.raw`acknowledgement=result:"\001"`);
    const { denoms } = b.chain.query(
      '/ibc.applications.transfer.v1.Query/Denoms',
      QueryDenomsRequestSchema,
      {},
      QueryDenomsResponseSchema,
    );
    expect(denoms).toMatchObject([{ base: denom, trace: [{ portId: 'transfer', channelId: b.channelId }] }]);
    const back = send(b, a, voucher, 400n, { receiver: a.chain.account(2) });
    expect(supplyOf(b.chain, voucher)).toBe(600n);
    const before = balanceOf(a.chain, a.chain.account(2), denom);
    relay(b, a, back);
    expect(balanceOf(a.chain, a.chain.account(2), denom)).toBe(before + 400n);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(600n);
    const { amount } = a.chain.query(
      '/ibc.applications.transfer.v1.Query/TotalEscrowForDenom',
      QueryTotalEscrowForDenomRequestSchema,
      { denom },
      QueryTotalEscrowForDenomResponseSchema,
    );
    expect(amount?.amount).toBe('600');
    expect(supplyOf(a.chain, denom)).toBeGreaterThanOrEqual(supply);
  });

  test('comes back only over its own channel; over another one it becomes a voucher of a voucher', () => {
    const { a, b } = crossed();
    const { denom } = a.chain;
    const voucher = voucherOf(b, `transfer/${b.channelId}/${denom}`);
    relay(a, b, send(a, b, denom, 100n, { receiver: b.chain.account(0) }));
    const [first, other] = [
      { a: { ...a }, b: { ...b } },
      { a, b },
    ];
    openChannel(other.a, other.b);
    // the channel on `a` has the name of that over which the voucher came to `b`
    expect(other.a.channelId).toBe(first.b.channelId);
    relay(other.b, other.a, send(other.b, other.a, voucher, 40n));
    expect(balanceOf(b.chain, escrowOf(other.b), voucher)).toBe(40n);
    expect(supplyOf(b.chain, voucher)).toBe(100n);
    expect(balanceOf(a.chain, escrowOf(first.a), denom)).toBe(100n);
    const path = `transfer/${other.a.channelId}/transfer/${first.b.channelId}/${denom}`;
    expect(balanceOf(a.chain, a.chain.account(1), voucherOf(a, path))).toBe(40n);
  });

  test('invented by the other chain releases no more from escrow than was sent there', () => {
    const { a, b } = crossed();
    const { denom } = a.chain;
    relay(a, b, send(a, b, denom, 100n));
    const invent = (name: string, amount: string): string => {
      const context = b.chain.context();
      const timeoutTimestamp = b.chain.now + 10n * MINUTE * 1_000_000_000n;
      const texts = { denom: name, amount, sender: b.chain.account(0), receiver: a.chain.account(2), memo: '' };
      const data = encodePacketData(texts);
      const sequence = sendPacket(context, { source: b, timeoutHeight: NONE, timeoutTimestamp, data });
      b.chain.keep(context);
      b.chain.block();
      b.chain.block();
      const names = { sourcePort: b.portId, sourceChannel: b.channelId, destinationPort: a.portId };
      const packet = { ...names, destinationChannel: a.channelId, sequence, data, timeoutTimestamp };
      return relay(b, a, create(PacketSchema, packet)).answer;
    };
    const before = balanceOf(a.chain, a.chain.account(2), denom);
    for (const name of [denom, `transfer/${a.channelId}/${denom}`, `echo/${b.channelId}/${denom}`]) {
      expect(invent(name, '7')).toBe('{"result":"AQ=="}');
      expect(balanceOf(a.chain, a.chain.account(2), voucherOf(a, `transfer/${a.channelId}/${name}`))).toBe(7n);
    }
    expect(invent(`transfer/${b.channelId}/${denom}`, '101')).toContain('"error"');
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(100n);
    expect(balanceOf(a.chain, a.chain.account(2), denom)).toBe(before);
    expect(invent(`transfer/${b.channelId}/${denom}`, '100')).toBe('{"result":"AQ=="}');
    expect(balanceOf(a.chain, a.chain.account(2), denom)).toBe(before + 100n);
    // coins that somebody sent to the escrow account directly were never sent over the channel
    const context = a.chain.context();
    setBalance(context, accountOf(a), denom, 5n);
    a.chain.keep(context);
    a.chain.block();
    expect(() => invent(`transfer/${b.channelId}/${denom}`, '5')).toThrow('recovered: negative coin amount');
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(5n);
  });

  test('refused by the other chain is refunded to its sender, and one for its prefix is accepted', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    for (const receiver of ['nobody', a.chain.account(1), encodeAddress('other', new Uint8Array(20).fill(0, 0, 19))]) {
      const packet = send(a, b, denom, 10n, { receiver });
      const held = balanceOf(a.chain, a.chain.account(0), denom);
      const { answer, received } = relay(a, b, packet);
      if (receiver.startsWith('other')) {
        expect(answer).toBe('{"result":"AQ=="}');
        continue;
      }
      expect(answer).toBe('{"error":"ABCI code: 5: error handling packet: see events for details"}');
      expect(shown(received, 'ibccallbackerror-fungible_token_packet')[0]).toContain(
        `ibccallbackerror-error=failed to decode receiver address: ${receiver}: invalid address`,
      );
      const fee = 10n ** 16n;
      expect(balanceOf(a.chain, a.chain.account(0), denom)).toBe(held + 10n - fee);
      expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(0n);
    }
  });

  test('is refused while transfers are disabled', () => {
    const { a, b } = path();
    const packet = send(a, b, a.chain.denom, 10n);
    const off = encode(ParamsSchema, { sendEnabled: false, receiveEnabled: false });
    for (const { chain } of [a, b]) chain.put('transfer', PARAMS_KEY, off);
    expect(refused(a.chain.send([transfer(a, b, a.chain.denom, 10n)]))).toBe(
      'transfer 7: fungible token transfers from this chain are disabled',
    );
    const { answer, received } = relay(a, b, packet);
    expect(answer).toContain('ABCI code: 8');
    expect(shown(received, 'ibccallbackerror-fungible_token_packet')[0]).toContain(
      'fungible token transfers to this chain are disabled',
    );
  });

  test('that times out is refunded once', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const packet = send(a, b, denom, 50n, { timeoutTimestamp: a.chain.now + MINUTE * 1_000_000_000n, memo: 'late' });
    synchronize(a, b);
    deliver(a, [update(a, b)]);
    expect(refused(a.chain.send([timeout(a, b, packet)]))).toContain(
      'channel 39: timeout packet verification failed: packet timeout not reached: current timestamp: ',
    );
    for (const { chain } of [a, b]) chain.block([], 2n * MINUTE);
    b.chain.block();
    a.chain.block();
    synchronize(a, b);
    const late = b.chain.send([update(b, a), receive(b, a, packet)]);
    expect(late.log).toContain('receive packet verification failed: packet timeout elapsed: current timestamp: ');
    expect([late.codespace, late.code]).toEqual(['channel', 40]);
    b.known = lastKnown(b, a);
    const escrowed = balanceOf(a.chain, escrowOf(a), denom);
    const ended = deliver(a, [update(a, b), timeout(a, b, packet)]);
    expect(shown(ended, 'timeout')).toEqual([
      `receiver=${a.chain.account(0)} refund_tokens={"denom":{"base":"${denom}","trace":null},"amount":"50"} memo=late msg_index=1`,
    ]);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(escrowed - 50n);
    const again = deliver(a, [timeout(a, b, packet)]);
    expect(shown(again, 'timeout')).toEqual([]);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(escrowed - 50n);
  });

  test('with a path of a hundred hops is refused in a forged packet, and so is a memo above its limit', () => {
    const { a, b } = path();
    const hops = Array.from({ length: 100 }, (_, at) => `transfer/channel-${at}`).join('/');
    const denom = `${hops}/factory/a/b`;
    const data = encodePacketData({
      denom,
      amount: '7',
      sender: a.chain.account(0),
      receiver: b.chain.account(1),
      memo: '',
    });
    const packet = send(a, b, a.chain.denom, 1n);
    const forged = create(PacketSchema, { ...packet, data });
    synchronize(a, b);
    const result = b.chain.send([update(b, a), receive(b, a, forged)]);
    expect([result.codespace, result.code]).toEqual(['commitment', 2]);
    expect(voucherOf(b, denom)).toMatch(/^ibc\/[0-9A-F]{64}$/);
    expect(refused(a.chain.send([transfer(a, b, a.chain.denom, 1n, { memo: 'x'.repeat(40_000) })]))).toContain(
      'transfer 11: memo must not exceed 32768 bytes',
    );
  });
});

test('CheckTx refuses a transaction whose relay messages are all redundant', () => {
  const { a, b } = path();
  const packet = send(a, b, a.chain.denom, 5n);
  synchronize(a, b);
  const known = b.known;
  const messages = [update(b, a), receive(b, a, packet)];
  expect(b.chain.check(b.chain.tx(0, messages))).toBe(' 0: ');
  b.chain.block();
  expect(b.chain.send(messages).code).toBe(0);
  expect(b.chain.check(b.chain.tx(0, messages))).toBe('channel 22: packet messages are redundant');
  b.chain.block();
  const bank = transfer(b, a, b.chain.denom, 1n);
  expect(b.chain.check(b.chain.tx(0, [...messages, bank]))).toBe(' 0: ');
  b.known = known;
  b.chain.block();
  const wrong = receive(b, a, create(PacketSchema, { ...packet, sequence: 9n }));
  expect(b.chain.check(b.chain.tx(0, [wrong]))).toContain('commitment 2: receive packet verification failed');
});

test('an exported genesis starts a chain with the same channels and packets', () => {
  const { a, b } = path();
  send(a, b, a.chain.denom, 5n);
  relay(a, b, send(a, b, a.chain.denom, 7n));
  for (const { chain } of [a, b]) {
    const { ibc, transfer: tokens } = chain.exported();
    const again = new IbcChain(chain.chainId, {
      prefix: chain.prefix,
      denom: chain.denom,
      sections: { ibc, transfer: tokens },
    });
    expect(again.exported()['ibc']).toEqual(ibc);
    expect(again.exported()['transfer']).toEqual(tokens);
  }
  const { ibc } = a.chain.exported();
  expect(ibc).toMatchObject({
    channel_genesis: {
      channels: [{ state: 'STATE_OPEN' }],
      commitments: [{ sequence: '1' }],
      next_channel_sequence: '1',
    },
  });
  expect(b.chain.exported()['ibc']).toMatchObject({
    channel_genesis: { receipts: [{ sequence: '2' }], acknowledgements: [{ sequence: '2' }] },
  });
});

test.each<[string, (section: Section) => object, string]>([
  [
    'a channel without its connection',
    (ibc) => without(ibc, 'connection_genesis', 'connections'),
    'channel_genesis.channels',
  ],
  [
    'a connection without its client',
    (ibc) => without(ibc, 'client_genesis', 'clients'),
    'connection_genesis.connections',
  ],
  [
    'a channel without a sequence',
    (ibc) => without(ibc, 'channel_genesis', 'recv_sequences'),
    'channel_genesis.recv_sequences',
  ],
  [
    'packets without their channel',
    (ibc) => without(ibc, 'channel_genesis', 'channels'),
    'channel_genesis.commitments',
  ],
  [
    'a channel whose number the next channel would get',
    (ibc) => ({ ...ibc, channel_genesis: { ...ibc['channel_genesis'], next_channel_sequence: '0' } }),
    'channel_genesis.next_channel_sequence',
  ],
])('a genesis with %s is refused', (_, change, where) => {
  const { a, b } = path();
  send(a, b, a.chain.denom, 5n);
  const section: Section = JSON.parse(JSON.stringify(a.chain.exported()['ibc']));
  expect(() => new IbcChain('alpha-1', { sections: { ibc: change(section) } })).toThrow(`app_state.ibc.${where}: `);
});

type Section = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The section with an empty list. */
const without = (section: Section, part: string, list: string): object => ({
  ...section,
  [part]: { ...section[part], [list]: [] },
});

/** The height of the other chain that a client knows after a refused update. */
function lastKnown(on: End, of: End): bigint {
  return on.chain.knownHeight(on.clientId, of.chain.height);
}
