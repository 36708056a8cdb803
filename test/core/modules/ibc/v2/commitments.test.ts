/** Commitments of IBC v2 and the encodings of transfers, by the vectors of ibc-go's `commitment_test.go`. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import {
  commitmentOf,
  commitmentOfAnswer,
  errorAcknowledgement,
} from '../../../../../src/core/modules/ibc/v2/commitments.js';
import { utf8 } from '../../../../../src/core/bytes/bytes.js';
import { asyncPacketKey, packetKeyV2 } from '../../../../../src/core/modules/ibc/keys.js';
import { decodePayload, encodePayload } from '../../../../../src/core/modules/transfer/payload.js';
import {
  AcknowledgementSchema,
  PacketSchema,
  PayloadSchema,
} from '../../../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import { SdkError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { crypto, toHex } from '../../../app/support.js';

const ENCODINGS = ['application/json', 'application/x-protobuf', 'application/x-solidity-abi'] as const;
const TEXTS = { denom: 'uatom', amount: '1000000', sender: 'sender', receiver: 'receiver', memo: 'memo' };
const names = { sourcePort: 'transfer', destinationPort: 'transfer', version: 'ics20-1' };

const payload = (encoding: string, value = encodePayload(TEXTS, encoding)) =>
  create(PayloadSchema, { ...names, encoding, value });
const packet = (encoding: string) =>
  create(PacketSchema, {
    sequence: 1n,
    sourceClient: '07-tendermint-0',
    destinationClient: '07-tendermint-1',
    timeoutTimestamp: 100n,
    payloads: [payload(encoding)],
  });

test.each([
  ['application/json', 'a096722aa6534040a0efbdae05765132a7b223ad306d6512f3734821bd046505'],
  ['application/x-solidity-abi', 'd408dca5088b9b375edb3c4df6bae0e18084fc0dbd90fcd0d028506553c81b25'],
])('a packet with a payload in %s has the commitment of ibc-go', (encoding, commitment) => {
  expect(toHex(commitmentOf({ crypto }, packet(encoding)))).toBe(commitment);
});

test('a commitment covers every field that the receiver acts on', () => {
  const whole = packet('application/json');
  const [first = payload('application/json')] = whole.payloads;
  const others = [
    { ...whole, destinationClient: '07-tendermint-2' },
    { ...whole, timeoutTimestamp: 101n },
    { ...whole, payloads: [] },
    ...(['sourcePort', 'destinationPort', 'version', 'encoding'] as const).map((name) => ({
      ...whole,
      payloads: [{ ...first, [name]: 'another' }],
    })),
    { ...whole, payloads: [{ ...first, value: utf8('x') }] },
    // fields do not run into one another
    { ...whole, payloads: [{ ...first, sourcePort: 'transfertransfer', destinationPort: '' }] },
  ];
  const commitments = [whole, ...others].map((each) => toHex(commitmentOf({ crypto }, each)));
  expect(new Set(commitments).size).toBe(others.length + 1);
});

test.each([
  ['an acknowledgement', utf8('some bytes'), 'f03b4667413e56aaf086663267913e525c442b56fa1af4fa3f3dab9f37044c5b'],
  [
    'the sentinel error acknowledgement',
    errorAcknowledgement({ crypto }),
    'e2fb30dfbf7abdeaca82d426534d2b3a9d5444dd2a87fa16d38b77ba1a13ced7',
  ],
])('the commitment of %s is that of ibc-go', (_, bytes, commitment) => {
  const answers = create(AcknowledgementSchema, { appAcknowledgements: [bytes] });
  expect(toHex(commitmentOfAnswer({ crypto }, answers))).toBe(commitment);
});

test('packet keys are the client id, a type byte, and the sequence in eight bytes', () => {
  const client = Buffer.from('07-tendermint-0').toString('hex');
  expect(toHex(packetKeyV2('commitments', '07-tendermint-0', 1n))).toBe(`${client}010000000000000001`);
  expect(toHex(packetKeyV2('receipts', '07-tendermint-0', 258n))).toBe(`${client}020000000000000102`);
  expect(toHex(packetKeyV2('acks', '07-tendermint-0', 2n))).toBe(`${client}030000000000000002`);
  expect(toHex(asyncPacketKey('07-tendermint-0', 2n))).toBe(
    `${client}${Buffer.from('async_packet').toString('hex')}0000000000000002`,
  );
});

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
  }
  return '';
};
/** Words of Solidity's ABI, in hexadecimal. */
const words = (...parts: readonly number[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...new Uint8Array(28), part >>> 24, part >>> 16, part >>> 8, part]));

test.each(ENCODINGS)('a transfer survives encoding and decoding in %s', (encoding) => {
  const texts = { ...TEXTS, denom: 'transfer/07-tendermint-3/uatom', memo: 'ä'.repeat(40) };
  const read = decodePayload(payload(encoding, encodePayload(texts, encoding)));
  expect(read).toMatchObject({ amount: 1_000_000n, amountText: '1000000', memo: texts.memo, sender: 'sender' });
  expect(read.denom).toEqual({ base: 'uatom', trace: [{ portId: 'transfer', channelId: '07-tendermint-3' }] });
});

test.each<[string, string, Uint8Array, string]>([
  ['no amount', 'application/json', utf8('{"denom":"a"}'), 'transfer 5: invalid packet data: unable to parse'],
  [
    'an unknown member',
    'application/json',
    utf8('{"denom":"a","x":""}'),
    'ibc 12: cannot unmarshal ICS20-V1 transfer packet data: json: unknown field "x"',
  ],
  ['null', 'application/json', utf8('null'), 'ibc 12: cannot convert proto message into FungibleTokenPacketData'],
  [
    'an unknown field',
    'application/x-protobuf',
    Uint8Array.of(0x32, 0),
    'ibc 12: cannot unmarshal ICS20-V1 transfer packet data: errUnknownField',
  ],
  ['a truncated field', 'application/x-protobuf', Uint8Array.of(0x0a, 9), 'ibc 12: cannot unmarshal ICS20-V1'],
  ['no bytes', 'application/x-solidity-abi', new Uint8Array(), 'attempting to unmarshal an empty string'],
  [
    'a truncated word',
    'application/x-solidity-abi',
    new Uint8Array(31),
    'length insufficient 31 require 32: decoding abi failed: invalid type',
  ],
  [
    'an offset past the end',
    'application/x-solidity-abi',
    words(33),
    'offset 33 would go over slice boundary (len=32)',
  ],
  [
    'a text past the end',
    'application/x-solidity-abi',
    words(32, 999, 0, 0, 1, 0),
    'offset 1031 would go over slice boundary',
  ],
  [
    'a text longer than the payload',
    'application/x-solidity-abi',
    words(32, 32, 0xffffff, 0, 1, 0),
    'ibc 12: cannot unmarshal ICS20-V1 transfer packet data: failed to unpack data: abi: cannot marshal in to go type: length insufficient',
  ],
  [
    'an unknown encoding',
    'text/plain',
    utf8('x'),
    'ibc 12: invalid encoding provided, must be either empty or one of ["application/json", "application/x-protobuf", "application/x-solidity-abi"], got text/plain',
  ],
])('a payload with %s is refused', (_, encoding, value, refusal) => {
  expect(refusalOf(() => decodePayload(payload(encoding, value)))).toContain(refusal);
});

test('a payload of another version is refused', () => {
  const other = create(PayloadSchema, { ...payload('application/json'), version: 'ics20-2' });
  expect(refusalOf(() => decodePayload(other))).toBe('transfer 4: ics20-2: invalid ICS20 version');
});
