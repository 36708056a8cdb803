import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXTENSION_URL,
  MESSAGE_URL,
  readWrappedMessage,
  readWrapper,
  type Wrapper,
  writeWrapper,
} from '../../../src/core/ethereum/wrapper-codec.js';
import { MsgEthereumTxSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { evmd } from '../../../src/core/app/presets.js';
import { decodeTx } from '../../../src/core/sdk/codec/decode-tx.js';
import { MessageRouter } from '../../../src/core/sdk/module/message-router.js';
import { rawOf } from '../app/ethereum-chain.js';
import { encode } from '../../support/encode.js';

const wrapper: fc.Arbitrary<Wrapper> = fc.record({
  from: fc.uint8Array({ minLength: 20, maxLength: 20 }),
  raw: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 150 }),
    fc.constantFrom(127, 128, 16_200, 16_384, 70_000).map((length) => new Uint8Array(length).fill(7)),
  ),
  denom: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/),
  fee: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })),
  gasLimit: fc.oneof(fc.constant(0n), fc.constant(21_000n), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
});

/** Bytes as hex text: comparing tens of thousands of array elements would be slow. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      one instanceof Uint8Array ? Buffer.from(one).toString('hex') : typeof one === 'bigint' ? `${one}n` : one,
    ),
  );

/** The wrapper as the generated codec encodes it. */
function generated({ from, raw, denom, fee, gasLimit }: Wrapper): Uint8Array {
  const value = encode(MsgEthereumTxSchema, { from, raw });
  const body = create(TxBodySchema, {
    messages: [{ typeUrl: MESSAGE_URL, value }],
    extensionOptions: [{ typeUrl: EXTENSION_URL }],
  });
  const authInfo = create(AuthInfoSchema, {
    fee: { amount: fee === 0n ? [] : [{ denom, amount: fee.toString() }], gasLimit },
  });
  return encode(TxRawSchema, {
    bodyBytes: toBinary(TxBodySchema, body),
    authInfoBytes: toBinary(AuthInfoSchema, authInfo),
  });
}

describe('the wrapper of an Ethereum transaction', () => {
  it('is encoded and decoded as by the generated codec', () => {
    fc.assert(
      fc.property(wrapper, (one) => {
        const tx = writeWrapper(one);
        expect(Buffer.from(tx).equals(generated(one))).toBe(true);
        const { bodyBytes, authInfoBytes } = fromBinary(TxRawSchema, tx);
        const [body, authInfo] = [fromBinary(TxBodySchema, bodyBytes), fromBinary(AuthInfoSchema, authInfoBytes)];
        const expected = { body, authInfo, bodyBytes, authInfoBytes };
        expect(plain(decodeTx(tx))).toEqual(
          plain({ ...expected, signatures: [], size: tx.length, unknownFields: false }),
        );
        const value = body.messages[0]?.value ?? new Uint8Array();
        expect(plain(readWrapper(tx))).toMatchObject({ message: plain(value), raw: plain(one.raw) });
        expect(plain(readWrappedMessage(value))).toEqual(plain({ from: one.from, raw: one.raw }));
      }),
      { numRuns: 500 },
    );
  });

  /** Bytes that are replaced, inserted or removed at a random place. */
  const change = fc.record({ at: fc.nat(), remove: fc.nat({ max: 2 }), add: fc.uint8Array({ maxLength: 2 }) });

  it('is recognised only in bytes that encode it canonically', () => {
    fc.assert(
      fc.property(wrapper, fc.array(change, { minLength: 1, maxLength: 3 }), (one, changes) => {
        let bytes = writeWrapper({ ...one, raw: one.raw.subarray(0, 150) });
        for (const { at, remove, add } of changes) {
          const where = at % (bytes.length + 1);
          bytes = Uint8Array.from([...bytes.subarray(0, where), ...add, ...bytes.subarray(where + remove)]);
        }
        const read = readWrapper(bytes);
        if (read === undefined) return;
        expect(writeWrapper({ ...read, fee: BigInt(read.amount || '0') })).toEqual(bytes);
      }),
      { numRuns: 5_000 },
    );
  });

  it('may state a fee of at most 256 bits; a larger one does not decode, as in evmd', async () => {
    const one = { from: new Uint8Array(20), raw: await rawOf(0, { nonce: 0 }), denom: 'atest', gasLimit: 65_536n };
    const most = (1n << 256n) - 1n;
    expect(readWrapper(writeWrapper({ ...one, fee: most }))?.amount).toBe(most.toString());
    // The log of CheckTx in evmd, where the code is 2 in the codespace sdk, in blocks too.
    for (const [fee, bits] of [
      [most + 1n, 257],
      [most * 21_000n, 271],
      [10n ** 80n, 266],
    ] as const) {
      const tx = writeWrapper({ ...one, fee });
      expect(readWrapper(tx)).toBeUndefined();
      const chain = new MessageRouter(evmd);
      expect(() => decodeTx(tx, chain)).toThrow(
        `integer out of range; got: ${bits}, max: 256: tx parse error: tx parse error`,
      );
    }
  });

  it('is not recognised when truncated, with an overlong length or with a surplus field', () => {
    const one = { from: new Uint8Array(20), raw: Uint8Array.of(1, 2), denom: 'achr', fee: 5n, gasLimit: 21_000n };
    const tx = writeWrapper(one);
    for (let length = 0; length < tx.length; length += 1) expect(readWrapper(tx.subarray(0, length))).toBeUndefined();
    expect(readWrapper(Uint8Array.from([...tx, 0x1a, 0x00]))).toBeUndefined();
    const [tag = 0, length = 0, ...rest] = tx;
    expect(length).toBeLessThan(0x80 + 0x80);
    const padded = [
      tag,
      length | 0x80,
      ...(length > 0x7f ? [(rest[0] ?? 0) | 0x80, 0, ...rest.slice(1)] : [0, ...rest]),
    ];
    expect(readWrapper(Uint8Array.from(padded))).toBeUndefined();
    expect(readWrapper(writeWrapper({ ...one, raw: new Uint8Array(0) }))).toBeUndefined();
    expect(readWrapper(writeWrapper({ ...one, from: new Uint8Array(19) }))).toBeUndefined();
  });
});
