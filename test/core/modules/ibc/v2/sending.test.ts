/** Packets of IBC v2 that a client refuses to send, and the registration of its counterparty. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { transferClientPort } from '../../../../../src/core/modules/transfer/client-port.js';
import { encodePayload } from '../../../../../src/core/modules/transfer/payload.js';
import { PayloadSchema } from '../../../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import { MsgSendPacketSchema } from '../../../../../src/core/proto/ibc/core/channel/v2/tx_pb.js';
import { MsgRegisterCounterpartySchema } from '../../../../../src/core/proto/ibc/core/client/v2/tx_pb.js';
import { SdkError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { anyOf, utf8 } from '../chains/chain.js';
import { balanceOf } from '../chains/coins.js';
import { deliver, update } from '../chains/relay.js';
import { clients, escrowOf, inSeconds, path, refused, register, transfer } from './relay.js';

type Registration = Partial<
  Exclude<MessageInitShape<typeof MsgRegisterCounterpartySchema>, { readonly $typeName: string }>
>;

describe('a counterparty', () => {
  test('is registered once, by the account that created the client', () => {
    const [a, b] = clients();
    const named = (change: Registration, from = 0) =>
      refused(
        a.chain.send(
          [
            anyOf(MsgRegisterCounterpartySchema, {
              clientId: a.clientId,
              counterpartyMerklePrefix: [utf8('ibc'), new Uint8Array()],
              counterpartyClientId: b.clientId,
              signer: a.chain.account(from),
              ...change,
            }),
          ],
          from,
        ),
      );
    expect(named({}, 1)).toBe(
      `ibc 2: expected same signer as createClient submittor ${a.chain.account(0)}, got ${a.chain.account(1)}: unauthorized`,
    );
    expect(named({ clientId: '07-tendermint-77' })).toContain(
      'ibc 2: expected same signer as createClient submittor , got',
    );
    expect(named({ counterpartyMerklePrefix: [] })).toContain(
      'clientv2 34: counterparty messaging key cannot be empty',
    );
    expect(named({ counterpartyClientId: 'some-client' })).toBe(
      `host 2: ${a.clientId} and some-client must be in valid format: {string}-{number}: invalid identifier`,
    );
    deliver(a, [register(a, b)]);
    expect(refused(a.chain.send([register(a, b)]))).toBe(
      'ibc 8: cannot register counterparty once it is already set: invalid request',
    );
  });
});

describe('MsgSendPacket', () => {
  const { a, b } = path();
  const payload = (change: object = {}) => ({
    sourcePort: 'transfer',
    destinationPort: 'transfer',
    version: 'ics20-1',
    encoding: 'application/json',
    value: encodePayload(
      { denom: a.chain.denom, amount: '1', sender: a.chain.account(0), receiver: 'r', memo: '' },
      'application/json',
    ),
    ...change,
  });
  const sent = (change: object = {}): string =>
    refused(
      a.chain.send([
        anyOf(MsgSendPacketSchema, {
          sourceClient: a.clientId,
          timeoutTimestamp: inSeconds(a, 600n),
          payloads: [payload()],
          signer: a.chain.account(0),
          ...change,
        }),
      ]),
    );
  const value = (denom: string, sender = a.chain.account(0)) => ({
    value: encodePayload({ denom, amount: '1', sender, receiver: 'r', memo: '' }, 'application/json'),
  });

  test('sends a valid packet', () => {
    expect(sent()).toBe(' 0: ');
  });

  test.each<[string, () => object, string | RegExp]>([
    [
      'a timeout more than a day ahead',
      () => ({ timeoutTimestamp: inSeconds(a, 86_406n) }),
      `channelv2 8: send packet failed for source id: ${a.clientId}: timeout exceeds the maximum expected value: invalid packet timeout`,
    ],
    ['no timeout', () => ({ timeoutTimestamp: 0n }), 'channelv2 8: timeout must not be 0: invalid packet timeout'],
    [
      'a timeout at the time of the block',
      () => ({ timeoutTimestamp: inSeconds(a, 5n) }),
      /^channelv2 9: send packet failed for source id: [^:]+: timeout is less than or equal the current block timestamp, (\d+) <= \1: timeout elapsed$/,
    ],
    [
      'the highest possible timeout',
      () => ({ timeoutTimestamp: 2n ** 64n - 1n }),
      'channelv2 9: send packet failed for source id',
    ],
    [
      'a timeout in nanoseconds',
      () => ({ timeoutTimestamp: a.chain.now + 600_000_000_000n }),
      'channelv2 8: send packet failed for source id',
    ],
    [
      'no payload',
      () => ({ payloads: [] }),
      'channelv2 3: payloads must be of length 1, got 0 instead: invalid payload',
    ],
    [
      'two payloads',
      () => ({ payloads: [payload(), payload()] }),
      'channelv2 3: payloads must be of length 1, got 2 instead: invalid payload',
    ],
    [
      'a blank version',
      () => ({ payloads: [payload({ version: ' ' })] }),
      'channelv2 3: payload version cannot be empty: invalid payload',
    ],
    ['no encoding', () => ({ payloads: [payload({ encoding: '' })] }), 'channelv2 3: payload encoding cannot be empty'],
    [
      'no value',
      () => ({ payloads: [payload({ value: new Uint8Array() })] }),
      'channelv2 3: payload value cannot be empty',
    ],
    [
      'an invalid port',
      () => ({ payloads: [payload({ sourcePort: 'x' })] }),
      'host 2: invalid source port ID: identifier x has invalid length',
    ],
    [
      'another destination port',
      () => ({ payloads: [payload({ destinationPort: 'other' })] }),
      'channelv2 2: payload port ID is invalid: expected transfer, got sourcePort: transfer destPort: other: invalid packet',
    ],
    [
      'a port without application',
      () => ({ payloads: [payload({ sourcePort: 'other' })] }),
      'undefined 111222: recovered: no route for other',
    ],
    [
      'a client without counterparty',
      () => ({ sourceClient: '07-tendermint-1' }),
      'clientv2 35: send packet failed for source id: 07-tendermint-1: counterparty not found for client: 07-tendermint-1: counterparty not found',
    ],
    [
      'too many bytes',
      () => ({ payloads: [payload({ value: new Uint8Array(262_145) })] }),
      'channelv2 2: send packet failed for source id: 07-tendermint-0: constructed packet failed basic validation: packet data bytes cannot exceed 262144 bytes: invalid packet: invalid packet',
    ],
    [
      'a sender other than the signer',
      () => ({ payloads: [payload(value(a.chain.denom, a.chain.account(1)))] }),
      `is different from signer ${a.chain.account(0)}: unauthorized`,
    ],
    [
      'a denom with a slash',
      () => ({ payloads: [payload(value('gamm/pool/1'))] }),
      'transfer 3: base denomination gamm/pool/1 cannot contain slashes for IBC v2 packet: invalid denomination',
    ],
    [
      'another version of transfers',
      () => ({ payloads: [payload({ version: 'ics20-2' })] }),
      'transfer 4: ics20-2: invalid ICS20 version',
    ],
    [
      'a sender that is no address',
      () => ({ payloads: [payload(value(a.chain.denom, 'nobody'))] }),
      'unknown address format: nobody',
    ],
  ])('is refused with %s', (_, change, refusal) => {
    expect(b.clientId).not.toBe(a.clientId);
    const before = balanceOf(a.chain, escrowOf(a), a.chain.denom);
    if (typeof refusal === 'string') expect(sent(change())).toContain(refusal);
    else expect(sent(change())).toMatch(refusal);
    expect(balanceOf(a.chain, escrowOf(a), a.chain.denom)).toBe(before);
  });
});

test('an expired client sends no packet, nor does one whose chain is already past the timeout', () => {
  const { a, b } = path();
  const sent = (timeoutTimestamp: bigint) => transfer(a, b, a.chain.denom, 1n, { timeoutTimestamp });
  b.chain.block([], (a.chain.now - b.chain.now) / 1_000_000_000n + 12n);
  b.chain.block([], 0n);
  const later = b.chain.now / 1_000_000_000n;
  expect(refused(a.chain.send([update(a, b), sent(later)]))).toBe(
    `channelv2 9: send packet failed for source id: ${a.clientId}: latest timestamp: ${later}, timeout timestamp: ${later}: timeout elapsed`,
  );
  a.chain.block([], 3n * 3_600n);
  expect(refused(a.chain.send([sent(inSeconds(a, 600n))]))).toBe(
    `client 29: send packet failed for source id: ${a.clientId}: client (${a.clientId}) status is Expired: client state is not active`,
  );
});

describe('the transfer application', () => {
  const { a } = path();
  const context = a.chain.context();
  const parcel = {
    sourceClient: '07-tendermint-5',
    destinationClient: a.clientId,
    sequence: 1n,
    payload: create(PayloadSchema, {
      sourcePort: 'transfer',
      destinationPort: 'transfer',
      version: 'ics20-1',
      encoding: 'application/json',
      value: encodePayload(
        { denom: 'uatom', amount: '1', sender: 's', receiver: a.chain.account(1), memo: '' },
        'application/json',
      ),
    }),
  };

  test('refuses packets of other ports, and between identifiers that are no client ids', () => {
    const { payload } = parcel;
    expect(transferClientPort.onReceive(context, parcel).kind).toBe('taken');
    for (const other of [
      { ...parcel, payload: { ...payload, sourcePort: 'other' } },
      { ...parcel, payload: { ...payload, destinationPort: 'other' } },
      { ...parcel, sourceClient: 'some-client' },
      { ...parcel, destinationClient: 'some-client' },
    ])
      expect(transferClientPort.onReceive(context, other).kind).toBe('refused');
  });

  test.each([
    ['{"error":"x"}', 'ibc 8: cannot pass in a custom error acknowledgement with IBC v2: invalid request'],
    ['{}', 'ibc 8: cannot pass in a custom error acknowledgement with IBC v2: invalid request'],
    ['x', 'ibc 4: cannot unmarshal ICS-20 transfer packet acknowledgement: unknown request'],
  ])('refuses the acknowledgement %s', (answer, refusal) => {
    let found = '';
    try {
      transferClientPort.onAcknowledge(context, parcel, utf8(answer));
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      found = `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
    }
    expect(found).toBe(refusal);
  });
});
