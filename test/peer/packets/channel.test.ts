/** Packets over a channel, with every possible outcome, in evmd and in this program. */
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packetKey } from '../../../src/core/modules/ibc/keys.js';
import { denomOfPath, localDenom } from '../../../src/core/modules/transfer/denom.js';
import { PacketSchema } from '../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import { heightOf } from '../../core/modules/ibc/chains/relay.js';
import { hasGolden } from '../../support/golden.js';
import { anyOf } from '../../support/sign-tx.js';
import { EVMD } from '../evmd.js';
import { FAILURE, PacketPair, sha256, SUCCESS, THERE } from './packet-pair.js';

describe.skipIf(EVMD === undefined || !hasGolden)('packets over a channel', () => {
  let chain: PacketPair;
  beforeAll(async () => {
    chain = await PacketPair.start();
  });
  afterAll(() => chain.pair.stop());

  test('received packets of all kinds have the results of evmd', async () => {
    const { other, executed, advance, updated, sent, received, dataOf } = chain;
    const packets = [
      dataOf({}),
      dataOf({ denom: 'ufoo' }),
      dataOf({ denom: 'ufoo', amount: '7', memo: 'again' }),
      dataOf({ denom: 'gamm/pool/1', receiver: other }),
      dataOf({ receiver: 'nobody' }),
      dataOf({ receiver: '0x00000000000000000000000000000000000000aa' }),
      // amounts of zero or less are left out: evmd's error prints the address of a pointer
      dataOf({ amount: String(2n ** 256n - 1n), denom: 'ubig' }),
      dataOf({ amount: String(2n ** 256n), denom: 'ubig' }),
      dataOf({ denom: 'transfer/channel-5/atest' }),
      dataOf({ denom: 'transfer/channel-5/aother' }),
      dataOf({ denom: 'transfer/channel-5/nothing' }),
      dataOf({ denom: ' ' }),
      dataOf({ denom: 'a b' }),
      dataOf({ sender: '' }),
      dataOf({ receiver: '' }),
      dataOf({ memo: 'x'.repeat(40_000) }),
      dataOf({ memo: '{"dest_callback":{"address":"0x00000000000000000000000000000000000000aa"}}' }),
      dataOf({ memo: '{"dest_callback":{"address":"nobody","gas_limit":"200000"}}' }),
      dataOf({
        memo: '{"dest_callback":{"address":"0x00000000000000000000000000000000000000aa","gas_limit":"1","calldata":"00"}}',
      }),
      dataOf({ memo: '{"dest_callback":5}' }),
      Buffer.from('{"amount":"1"}'),
      Buffer.from('{'),
      Buffer.from('{"amount":"1","denom":"u1","receiver":"x","sender":"y","more":1}'),
    ].map((data) => sent(data));
    advance();
    const { codes } = await executed([updated()], ...packets.map((packet) => [received(packet)]));
    expect(codes).toEqual(codes.map(() => ' 0'));
    // a second relay has nothing to do
    const [first] = packets;
    if (first === undefined) throw new Error('a packet');
    expect((await executed([received(first)])).codes).toEqual([' 0']);
  });

  test('refused packets have the results of evmd', async () => {
    const { pair, there, signer, executed, advance, updated, proofOf, sent, received, dataOf } = chain;
    const late = [sent(dataOf({}), { time: pair.time() + 1n }), sent(dataOf({}), { height: pair.height() })];
    const good = sent(dataOf({}));
    const unsent = create(PacketSchema, { ...good, sequence: 99n });
    advance();
    const wrongData = { ...received(good) };
    const { codes } = await executed(
      [updated()],
      ...late.map((packet) => [received(packet)]),
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: unsent,
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: create(PacketSchema, { ...good, data: dataOf({ amount: '11' }) }),
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: create(PacketSchema, { ...good, destinationChannel: 'channel-9' }),
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height + 5n),
          signer,
        }),
      ],
      [
        anyOf(channel.MsgRecvPacketSchema, {
          packet: good,
          proofCommitment: proofOf(packetKey('commitments', THERE, good.sequence)).proof,
          proofHeight: heightOf(there, there.height + 5n),
          signer,
        }),
      ],
      [wrongData],
    );
    expect(codes.slice(0, 1)).toEqual([' 0']);
    expect(codes.slice(1, -1)).not.toContain(' 0');
    expect(codes.at(-1)).toBe(' 0');
  });

  test('sent packets that are received, refunded after an error, or timed out have the results of evmd', async () => {
    const { pair, there, executed, advance, updated, timed, transferred, answered } = chain;
    const voucher = localDenom(sha256, denomOfPath('transfer/channel-0/uatom'));
    const foo = localDenom(sha256, denomOfPath('transfer/channel-0/ufoo'));
    const callback = '{"src_callback":{"address":"0x00000000000000000000000000000000000000aa","gas_limit":"100000"}}';
    const sends = [
      await transferred('atest', '1000'),
      await transferred(voucher, '3'),
      await transferred('atest', '1001'),
      await transferred(voucher, '2'),
      await transferred(foo, '4'),
      await transferred('atest', '5', callback),
    ];
    const answers = sends.map((packet, index) => answered(packet, index < 2 ? SUCCESS : FAILURE));
    advance();
    const { codes } = await executed([updated()], ...answers.map((message) => [message()]));
    expect(codes.slice(0, -1)).toEqual(codes.slice(0, -1).map(() => ' 0'));
    await executed(...answers.slice(0, 1).map((message) => [message()]));

    const late = [await transferred('atest', '9', '', 30n), await transferred(foo, '1', callback, 30n)];
    // the other chain's time is before the block that sends, until its clock has passed the packet's timeout
    for (let block = 0; block < 20; block += 1) there.block();
    advance();
    await pair.block([], { seconds: 120 });
    await executed([updated()], ...late.map((packet) => [timed(packet)]));
    await executed(...late.map((packet) => [timed(packet)]));
  });
});
