/** Packets of IBC v2 between clients, in evmd and in this program. */
import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packetKeyV2 } from '../../../src/core/modules/ibc/keys.js';
import {
  commitmentOf as commitmentOfV2,
  commitmentOfAnswer,
  errorAcknowledgement,
} from '../../../src/core/modules/ibc/v2/commitments.js';
import { denomOfPath, localDenom } from '../../../src/core/modules/transfer/denom.js';
import { MsgTransferSchema } from '../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import {
  AcknowledgementSchema,
  type Packet as PacketV2,
  PacketSchema as PacketV2Schema,
  type PayloadSchema,
} from '../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import * as channelV2 from '../../../src/core/proto/ibc/core/channel/v2/tx_pb.js';
import { FungibleTokenPacketDataSchema } from '../../../src/core/proto/ibc/applications/transfer/v1/packet_pb.js';
import * as clientV2 from '../../../src/core/proto/ibc/core/client/v2/tx_pb.js';
import { crypto } from '../../core/app/support.js';
import { encode } from '../../support/encode.js';
import { hasGolden } from '../../support/golden.js';
import { anyOf } from '../../support/sign-tx.js';
import { EVMD } from '../evmd.js';
import { CLIENT, PacketPair, SECOND, sha256, SUCCESS, type Transferred } from './packet-pair.js';

describe.skipIf(EVMD === undefined || !hasGolden)('packets of v2', () => {
  let chain: PacketPair;
  beforeAll(async () => {
    chain = await PacketPair.start();
  });
  afterAll(() => chain.pair.stop());

  test('between clients have the results of evmd', async () => {
    const { pair, there, signer, other, executed, advance, updated, proofOf } = chain;
    const THEIRS = '07-tendermint-9';
    const prefix = [Buffer.from('ibc'), new Uint8Array()];
    const registration = { clientId: CLIENT, counterpartyMerklePrefix: prefix, counterpartyClientId: THEIRS, signer };
    const register = anyOf(clientV2.MsgRegisterCounterpartySchema, registration);
    expect((await executed([register], [register])).codes).toEqual([' 0', 'ibc 8']);

    const second = (): bigint => pair.time() / SECOND;
    const data = (members: Transferred): Uint8Array =>
      Buffer.from(
        JSON.stringify({ denom: 'uatom', amount: '5', sender: 'counter1x', receiver: signer, memo: '', ...members }),
      );
    const protobuf = encode(FungibleTokenPacketDataSchema, {
      denom: 'uatom',
      amount: '6',
      sender: 'counter1x',
      receiver: signer,
    });
    let next = 0n;
    const sentThere = (
      payload: MessageInitShape<typeof PayloadSchema>,
      timeoutTimestamp = second() + 600n,
    ): PacketV2 => {
      next += 1n;
      const packet = create(PacketV2Schema, {
        sequence: next,
        sourceClient: THEIRS,
        destinationClient: CLIENT,
        timeoutTimestamp,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({}),
            ...payload,
          },
        ],
      });
      there.put('ibc', packetKeyV2('commitments', THEIRS, next), commitmentOfV2({ crypto }, packet));
      return packet;
    };
    const receivedV2 = (packet: PacketV2): Any => {
      const { proof: proofCommitment, proofHeight } = proofOf(packetKeyV2('commitments', THEIRS, packet.sequence));
      return anyOf(channelV2.MsgRecvPacketSchema, { packet, proofCommitment, proofHeight, signer });
    };
    const packets = [
      sentThere({}),
      sentThere({ encoding: 'application/x-protobuf', value: protobuf }),
      sentThere({ encoding: 'application/x-solidity-abi' }),
      sentThere({ encoding: 'text/plain' }),
      sentThere({ version: 'ics20-2' }),
      sentThere({ value: data({ receiver: 'nobody' }) }),
      sentThere({ value: data({ denom: 'transfer/07-tendermint-9/atest' }) }),
      sentThere({ value: Buffer.from('{') }),
      sentThere({ destinationPort: 'nothing' }),
      sentThere({ sourcePort: 'other' }),
      sentThere({}, second() + 1n),
      sentThere({}, second() + 200_000n),
    ];
    advance();
    const came = await executed([updated()], ...packets.map((packet) => [receivedV2(packet)]));
    expect(came.codes.slice(0, 3)).toEqual([' 0', ' 0', ' 0']);
    const [first] = packets;
    if (first === undefined) throw new Error('a packet');
    await executed([receivedV2(first)]);

    const voucher = localDenom(sha256, denomOfPath(`transfer/${CLIENT}/uatom`));
    const sends = [
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel: CLIENT,
        token: { denom: 'atest', amount: '100' },
        sender: signer,
        receiver: 'counter1x',
        timeoutTimestamp: second() + 600n,
      }),
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel: CLIENT,
        token: { denom: voucher, amount: '3' },
        sender: signer,
        receiver: 'counter1x',
        timeoutTimestamp: second() + 600n,
        encoding: 'application/x-protobuf',
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 30n,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({ denom: 'atest', amount: '7', sender: signer, receiver: 'counter1x' }),
          },
        ],
        signer,
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 600n,
        payloads: [
          {
            sourcePort: 'transfer',
            destinationPort: 'transfer',
            version: 'ics20-1',
            encoding: 'application/json',
            value: data({ denom: 'atest', amount: '7', sender: other, receiver: 'counter1x' }),
          },
        ],
        signer,
      }),
      anyOf(channelV2.MsgSendPacketSchema, {
        sourceClient: CLIENT,
        timeoutTimestamp: second() + 90_000n,
        payloads: [
          { sourcePort: 'transfer', destinationPort: 'transfer', version: 'ics20-1', encoding: 'x', value: data({}) },
        ],
        signer,
      }),
    ];
    const went = await executed(...sends.map((message) => [message]));
    expect(went.codes.slice(0, 3)).toEqual([' 0', ' 0', ' 0']);
    const encoded = went.theirs.txResults.flatMap(({ events }) =>
      events
        .filter(({ type }) => type === 'send_packet')
        .map(({ attributes }) => attributes.find(({ key }) => key === 'encoded_packet_hex')?.value ?? ''),
    );
    const [taken, refused, late] = encoded.map((hex) => fromBinary(PacketV2Schema, Buffer.from(hex, 'hex')));
    if (taken === undefined || refused === undefined || late === undefined) throw new Error('three packets');
    const answers = (
      [
        [taken, SUCCESS],
        [refused, errorAcknowledgement({ crypto })],
      ] as const
    ).map(([packet, answer]) => {
      const acknowledgement = create(AcknowledgementSchema, { appAcknowledgements: [answer] });
      const key = packetKeyV2('acks', THEIRS, packet.sequence);
      there.put('ibc', key, commitmentOfAnswer({ crypto }, acknowledgement));
      return (): Any => {
        const { proof: proofAcked, proofHeight } = proofOf(key);
        return anyOf(channelV2.MsgAcknowledgementSchema, { packet, acknowledgement, proofAcked, proofHeight, signer });
      };
    });
    for (let block = 0; block < 60; block += 1) there.block();
    advance();
    await pair.block([], { seconds: 300 });
    const { proof: proofUnreceived, proofHeight } = proofOf(packetKeyV2('receipts', THEIRS, late.sequence));
    const timed = anyOf(channelV2.MsgTimeoutSchema, { packet: late, proofUnreceived, proofHeight, signer });
    const ended = await executed([updated()], ...answers.map((message) => [message()]), [timed]);
    expect(ended.codes).toEqual([' 0', ' 0', ' 0', ' 0']);
    await executed(...answers.map((message) => [message()]), [timed]);

    const config = { clientId: CLIENT, config: { allowedRelayers: [other] }, signer };
    const last = sentThere({});
    advance();
    await pair.block([], { seconds: 60 });
    expect(
      (await executed([updated()], [anyOf(clientV2.MsgUpdateClientConfigSchema, config)], [receivedV2(last)])).codes,
    ).toMatchObject([' 0', expect.any(String), expect.any(String)]);
  });
});
