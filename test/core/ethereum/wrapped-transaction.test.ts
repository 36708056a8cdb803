import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { concat, utf8 } from '../../../src/core/bytes/bytes.js';
import { readResponse, unwrapTransaction } from '../../../src/core/ethereum/wrapped-transaction.js';
import { MsgEthereumTxSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';

type Field = readonly [number: number, bytes: Uint8Array];

/** Encodes length-delimited fields in this order. */
const encode = (fields: readonly Field[]): Uint8Array =>
  concat(
    ...fields.map(([number, bytes]) => {
      const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
      return concat(Uint8Array.of((number << 3) | 2, ...length), bytes);
    }),
  );

const sender = (byte: number): Uint8Array => new Uint8Array(20).fill(byte);

describe('unwrapTransaction', () => {
  /** Fields in random order and number, as an attacker may write them. */
  const fields = (numbers: readonly number[], contents: fc.Arbitrary<Uint8Array>): fc.Arbitrary<readonly Field[]> =>
    fc.array(fc.tuple(fc.constantFrom(...numbers), contents), { maxLength: 4 });
  const contents = fc.constantFrom(sender(1), sender(2), Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(2, 3));
  const names = fc
    .constantFrom('/cosmos.evm.vm.v1.MsgEthereumTx', '/ethermint.evm.v1.MsgEthereumTx', '/cosmos.bank.v1beta1.MsgSend')
    .map(utf8);
  const message = fc
    .tuple(fields([1], names), fields([2], fields([5, 6], contents).map(encode)))
    .map(([urls, values]) => encode([...urls, ...values]));
  const transaction = fields([1], fields([1], message).map(encode)).map(encode);

  it('finds the same Ethereum transaction as the generated codec, however its fields are repeated', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const { messages } = fromBinary(TxBodySchema, fromBinary(TxRawSchema, tx).bodyBytes);
        const [only] = messages;
        const isEthereum = messages.length === 1 && only?.typeUrl.endsWith('MsgEthereumTx') === true;
        const { from, raw } = isEthereum
          ? fromBinary(MsgEthereumTxSchema, only.value)
          : { from: sender(0), raw: new Uint8Array(0) };
        expect(unwrapTransaction(tx)).toEqual(
          isEthereum && from.length === 20 && raw.length > 0 ? { from, raw } : undefined,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes the last one of repeated fields', () => {
    const inMessage = (...value: readonly Field[]): Uint8Array =>
      encode([
        [
          1,
          encode([
            [
              1,
              encode([
                [1, utf8('/cosmos.evm.vm.v1.MsgEthereumTx')],
                [2, encode(value)],
              ]),
            ],
          ]),
        ],
      ]);
    expect(
      unwrapTransaction(inMessage([5, sender(1)], [6, Uint8Array.of(1)], [5, sender(2)], [6, Uint8Array.of(2)])),
    ).toEqual({ from: sender(2), raw: Uint8Array.of(2) });
    const any = encode([
      [1, utf8('/cosmos.evm.vm.v1.MsgEthereumTx')],
      [
        2,
        encode([
          [5, sender(1)],
          [6, Uint8Array.of(1)],
        ]),
      ],
      [1, utf8('/cosmos.bank.v1beta1.MsgSend')],
    ]);
    expect(fromBinary(AnySchema, any).typeUrl).toBe('/cosmos.bank.v1beta1.MsgSend');
    expect(unwrapTransaction(encode([[1, encode([[1, any]])]]))).toBeUndefined();
  });
});

describe('readResponse', () => {
  const responseWith = (...logs: readonly Uint8Array[]): Uint8Array => {
    const response = encode(logs.map((log): Field => [2, log]));
    return encode([
      [
        2,
        encode([
          [1, utf8('/cosmos.evm.vm.v1.MsgEthereumTxResponse')],
          [2, response],
        ]),
      ],
    ]);
  };

  const log = encode([
    [1, utf8(`0x${'01'.repeat(20)}`)],
    [2, utf8(`0x${'02'.repeat(32)}`)],
    [3, Uint8Array.of(3)],
  ]);

  it('decodes logs', () => {
    const decoded = { address: sender(1), topics: [new Uint8Array(32).fill(2)], data: Uint8Array.of(3) };
    expect(readResponse(responseWith(log, log))).toMatchObject({ logCount: 2, logs: [decoded, decoded] });
  });

  it('decodes no log for a reader of the other fields', () => {
    const texts = vi.spyOn(BinaryReader.prototype, 'string');
    try {
      const response = readResponse(responseWith(...Array.from({ length: 50 }, () => log)));
      expect([response?.logCount, response?.gasUsed, texts.mock.calls.length]).toEqual([50, 0n, 0]);
      expect([response?.logs.length, texts.mock.calls.length]).toEqual([50, 100]);
    } finally {
      texts.mockRestore();
    }
  });

  it('finds none with a log that is not protobuf', () => {
    for (const malformed of [Uint8Array.of(0x0a, 0x7f), Uint8Array.of(0x1a, 0x02, 0x00), Uint8Array.of(0x80)])
      expect(readResponse(responseWith(log, malformed))).toBeUndefined();
  });
});
