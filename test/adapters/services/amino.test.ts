/**
 * The older transaction form through the service: decoding returns the encoded input, and bad input is refused with a
 * reason.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { StdTxCodec } from '../../../src/adapters/services/tx/amino/std-tx.js';
import { aminoPrefix } from '../../../src/adapters/services/tx/amino/prefix.js';

const stdTx = new StdTxCodec(servedFiles().registry);
const { messageParts } = DEFAULT_LIMITS;
const codec = {
  encode: (text: string) => stdTx.encode(text, messageParts),
  decode: (bytes: Uint8Array) => stdTx.decode(bytes, messageParts),
};
const tx = (value: object): string => JSON.stringify({ type: 'cosmos-sdk/StdTx', value });
const encoded = (text: string): Uint8Array => {
  const coded = codec.encode(text);
  if (!coded.ok) throw new Error(coded.message);
  return coded.value;
};

describe('StdTx (amino)', () => {
  it('has the known prefixes', () => {
    expect(Buffer.from(aminoPrefix('cosmos-sdk/StdTx')).toString('hex')).toBe('282816a9');
    expect(Buffer.from(aminoPrefix('tendermint/PubKeySecp256k1')).toString('hex')).toBe('eb5ae987');
  });

  const whole = {
    msg: [
      {
        type: 'cosmos-sdk/MsgSend',
        value: { amount: [{ amount: '1', denom: 'achr' }], from_address: 'chron1a', to_address: 'chron1b' },
      },
      {
        type: 'cosmos-sdk/MsgMultiSend',
        value: {
          inputs: [{ address: 'chron1a', coins: [{ amount: '2', denom: 'achr' }] }],
          outputs: [{ address: 'chron1b', coins: [{ amount: '2', denom: 'achr' }] }],
        },
      },
    ],
    fee: { amount: [{ denom: 'achr', amount: '5' }], gas: '18446744073709551615', payer: 'chron1c' },
    signatures: [
      {
        pub_key: { type: 'tendermint/PubKeySecp256k1', value: Buffer.alloc(33, 2).toString('base64') },
        signature: Buffer.alloc(64, 7).toString('base64'),
      },
    ],
    memo: 'höher',
    timeout_height: '9',
  };

  it('a whole transaction is decoded to what was encoded', () => {
    const back = codec.decode(encoded(tx(whole)));
    expect(back.ok && JSON.parse(back.value)).toEqual({ type: 'cosmos-sdk/StdTx', value: whole });
  });

  it('a public key is encoded with its prefix and length', () => {
    const bytes = encoded(
      tx({
        msg: [],
        signatures: [
          { pub_key: { type: 'tendermint/PubKeySecp256k1', value: Buffer.alloc(33, 2).toString('base64') } },
        ],
      }),
    );
    expect(Buffer.from(bytes).toString('hex')).toBe(`282816a9${'1a28'}${'0a26'}eb5ae98721${'02'.repeat(33)}`);
  });

  it.each([
    ['not JSON', 'nonsense', 'invalid JSON'],
    ['no type', '{}', 'JSON encoding of interfaces require non-empty type field.'],
    ['another type', '{"type":"x/y","value":{}}', 'unrecognized concrete type name x/y'],
    ['an unknown message', tx({ msg: [{ type: 'x/y', value: {} }] }), 'unrecognized concrete type name x/y'],
    [
      'a message with a list that is none',
      tx({ msg: [{ type: 'cosmos-sdk/MsgSend', value: { amount: 5 } }] }),
      'amount is not a list',
    ],
    [
      'a message that Amino writes otherwise',
      tx({ msg: [{ type: 'cosmos-sdk/MsgSoftwareUpgrade', value: {} }] }),
      'google.protobuf.Timestamp is not supported in amino',
    ],
    ['gas as a number', tx({ msg: [], fee: { gas: 1 } }), 'gas is not a uint64 in a string'],
    ['gas out of range', tx({ msg: [], fee: { gas: '18446744073709551616' } }), 'gas is not a uint64 in a string'],
    ['a fee in no coins', tx({ msg: [], fee: { amount: [{ denom: 7 }] } }), 'amount is not a list of coins'],
  ])('%s is refused', (_name, text, message) => {
    expect(codec.encode(text)).toEqual({ ok: false, message });
  });

  const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  const send = Buffer.from(aminoPrefix('cosmos-sdk/MsgSend')).toString('hex');
  it.each([
    ['a field without its length', '0a', 'tx: unexpected EOF'],
    ['a field longer than what is there', '0a 05 00', 'tx: unexpected EOF'],
    ['a field of no number', '02 00', 'tx: malformed'],
    ['a kind of field that does not exist', '0f 00', 'tx: malformed'],
    ['a number without an end', '28 ff ff ff ff ff ff ff ff ff ff ff', 'tx: malformed'],
    ['a fee cut short', '12 02 0a 05', 'fee: unexpected EOF'],
    ['a coin cut short', '12 04 0a 02 0a 05', 'coin: unexpected EOF'],
    ['a signature cut short', '1a 01 12', 'signature: unexpected EOF'],
    ['a key cut short', '1a 07 0a 05 eb 5a e9 87 21', 'tendermint/PubKeySecp256k1: unexpected EOF'],
    ['a message cut short', `0a 06 ${send} 0a 05`, 'cosmos-sdk/MsgSend: unexpected EOF'],
    ['a message of unknown prefix', '0a 04 01 02 03 04', 'unrecognized prefix bytes 01020304'],
  ])('%s is refused with an error that names it', (_name, tail, message) => {
    expect(codec.decode(Buffer.concat([aminoPrefix('cosmos-sdk/StdTx'), hex(tail)]))).toEqual({ ok: false, message });
  });

  describe('the limit of parts in an amino transaction', () => {
    const refused = { ok: false, message: 'limit messageParts (100) exceeded' };
    const decode = (...parts: readonly Uint8Array[]) =>
      stdTx.decode(Buffer.concat([aminoPrefix('cosmos-sdk/StdTx'), ...parts]), 100);
    const empty = (field: number, count: number): Uint8Array =>
      new Uint8Array(2 * count).map((_, at) => (at % 2 === 0 ? field * 8 + 2 : 0));
    /** One field of up to 16,383 bytes. */
    const field = (number: number, content: Uint8Array): Uint8Array =>
      Buffer.concat([Uint8Array.of(number * 8 + 2, 128 + (content.length & 127), content.length >> 7), content]);
    const message = (count: number): Uint8Array =>
      field(1, Buffer.concat([aminoPrefix('cosmos-sdk/MsgSend'), empty(3, count)]));

    it.each([
      ['signatures', (count: number) => decode(empty(3, count)), 100],
      ['numbers', (count: number) => decode(empty(3, count).map((_, at) => (at % 2 === 0 ? 40 : 1))), 100],
      ['parts of one signature', (count: number) => decode(field(3, empty(2, count))), 99],
      ['coins', (count: number) => decode(field(2, empty(1, count))), 99],
      ['fields of one coin', (count: number) => decode(field(2, field(1, empty(1, count)))), 98],
      ['fields of one message', (count: number) => decode(message(count)), 99],
      ['fields of two messages together', (count: number) => decode(message(50), message(count)), 48],
      ['fields of what stands for a key', (count: number) => decode(field(3, message(count))), 98],
    ])('counts %s before decoding', (_name, decoded, most) => {
      expect(decoded(most)).toMatchObject({ ok: true });
      expect(decoded(most + 1)).toEqual(refused);
      expect(decoded(5_000)).toEqual(refused);
    });
  });

  it('a JSON text of more objects, lists and members than the limit is not parsed', () => {
    const text = (coins: number): string =>
      tx({ msg: [{ type: 'cosmos-sdk/MsgSend', value: { amount: Array.from({ length: coins }, () => ({})) } }] });
    // Twelve other fields: of the transaction, its messages, this message and its coins.
    expect(stdTx.encode(text(88), 100)).toMatchObject({ ok: true });
    expect(stdTx.encode(text(89), 100)).toEqual({ ok: false, message: 'limit messageParts (100) exceeded' });
  });

  it('a transaction of ten thousand signatures is decoded with all of them', () => {
    const back = codec.decode(encoded(tx({ msg: [], signatures: Array.from({ length: 10_000 }, () => ({})) })));
    expect(back.ok && back.value.match(/pub_key/g)?.length).toBe(10_000);
  });

  it('arbitrary bytes and texts never throw', () => {
    const prefix = aminoPrefix('cosmos-sdk/StdTx');
    const good = encoded(tx(whole));
    fc.assert(
      fc.property(
        fc.nat({ max: good.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: good.length }),
        (at, byte, end) => {
          expect(typeof codec.decode(good.with(at, byte).subarray(0, end)).ok).toBe('boolean');
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (tail) => {
        expect(typeof codec.decode(Uint8Array.from([...prefix, ...tail])).ok).toBe('boolean');
        expect(typeof codec.decode(Uint8Array.from([...prefix, 0x0a, tail.length + 4, ...hex(send), ...tail])).ok).toBe(
          'boolean',
        );
      }),
    );
    fc.assert(
      fc.property(fc.json(), fc.json(), (value, message) => {
        expect(typeof codec.encode(`{"type":"cosmos-sdk/StdTx","value":${value}}`).ok).toBe('boolean');
        expect(
          typeof codec.encode(tx({ msg: [{ type: 'cosmos-sdk/MsgMultiSend', value: JSON.parse(message) }] })).ok,
        ).toBe('boolean');
      }),
    );
  });
});
