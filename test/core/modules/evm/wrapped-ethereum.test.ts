import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { readEthereumMessage } from '../../../../src/core/modules/evm/ethereum-message.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { addressOf, rawOf, wrap } from '../../app/ethereum-chain.js';

/** Plain arrays, so that bytes of the same value are equal whether or not they have memory of their own. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      one instanceof Uint8Array ? Buffer.from(one).toString('hex') : typeof one === 'bigint' ? `${one}n` : one,
    ),
  );

describe('the consensus transaction around an Ethereum one', () => {
  // Lengths of one, two and three bytes at each level.
  it.each([0, 1, 20, 60, 120, 127, 128, 300, 16_100, 16_384, 70_000])(
    'with %i bytes of data is read and written as by the protobuf library',
    async (length) => {
      const raw = await rawOf(1, { nonce: 3, gas: 30_000_000n, data: `0x${'ab'.repeat(length)}` });
      const tx = wrap(raw, 1);
      const outer = fromBinary(TxRawSchema, tx);
      const body = fromBinary(TxBodySchema, outer.bodyBytes);
      expect(plain(toBinary(TxRawSchema, outer))).toBe(plain(tx));
      expect(plain(toBinary(TxBodySchema, body))).toBe(plain(outer.bodyBytes));
      const made = decodeTx(tx);
      expect(plain(made)).toEqual(plain(decodeTx(tx.slice())));
      expect(plain(made.authInfo)).toEqual(plain(fromBinary(AuthInfoSchema, outer.authInfoBytes)));
      const value = made.body.messages[0]?.value ?? new Uint8Array();
      expect(plain(readEthereumMessage(value))).toEqual(plain(readEthereumMessage(value.slice())));
      expect(plain(readEthereumMessage(value.slice()))).toMatchObject({ from: plain(addressOf(1)), raw: plain(raw) });
    },
  );
});
