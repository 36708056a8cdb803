import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { Interfaces } from '../../../src/core/abi/interfaces.js';
import { cosmosLine } from '../../../src/core/activity/cosmos-line.js';
import { lineText } from '../../../src/core/activity/line.js';
import { devTx } from '../../../src/core/modules/dev/dev-tx.js';
import { setAccountTx } from '../../../src/core/modules/dev/set-account.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { setBlockFactsTx } from '../../../src/core/modules/dev/set-block-facts.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ExecTxResultSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { encode } from '../../support/encode.js';

const DEV1 = new Uint8Array(20).fill(0xbb);
const address = encodeAddress('chron', DEV1);
const STRANGER = new Uint8Array(20).fill(0x11);
const sequence = 3n;
const word = (last: number): Uint8Array => Uint8Array.of(...new Uint8Array(31), last);

/** The line without the transaction's hash. */
function lineOf(tx: Uint8Array) {
  const names = {
    crypto: PURE_KEY_CRYPTO,
    interfaces: new Interfaces(PURE_KEY_CRYPTO),
    accounts: new Map([['bb'.repeat(20), 'dev1']]),
    contractAt: () => undefined,
  };
  const line = cosmosLine(tx, new Uint8Array(32), create(ExecTxResultSchema), names, 'achr');
  return { text: lineText(line, false).replace(/^ {2}tx 0{64} {2}/, ''), fields: line.fields };
}

describe('line of a development command', () => {
  it.each([
    [
      'sets the balance of dev1 to 1.5 chr',
      setBalanceTx({ address, denom: 'achr', amount: '1500000000000000000', sequence }),
    ],
    ['sets the balance of dev1 to 7 uatom', setBalanceTx({ address, denom: 'uatom', amount: '7', sequence })],
    ['sets at dev1 the nonce to 5', setAccountTx({ address, sequence }, { nonce: 5n })],
    [
      'sets at 0x1111111111111111111111111111111111111111 2 bytes of code',
      setAccountTx({ address: encodeAddress('chron', STRANGER), sequence }, { code: Uint8Array.of(0x60, 0x01) }),
    ],
    ['sets at dev1 no code', setAccountTx({ address, sequence }, { code: new Uint8Array(0) })],
    [
      'sets at dev1 slot 0x0 to 0x1f, 1 more slots',
      setAccountTx(
        { address, sequence },
        {
          slots: [
            { slot: word(0), value: word(0x1f) },
            { slot: word(1), value: word(2) },
          ],
        },
      ),
    ],
    [
      'sets the coinbase to dev1, the gas limit to 9, the next base fee to 7 wei',
      setBlockFactsTx({ sequence }, { coinbase: DEV1, gasLimit: 9n, nextBaseFee: 7n }),
    ],
    ['sets the coinbase to the proposer', setBlockFactsTx({ sequence }, { coinbase: new Uint8Array(0) })],
    [`sets the next prevrandao to 0x${'00'.repeat(31)}05`, setBlockFactsTx({ sequence }, { nextPrevRandao: word(5) })],
    [
      'sets the signer of one signature to dev1',
      setBlockFactsTx({ sequence }, { impersonatedSignature: { signature: new Uint8Array(65).fill(1), signer: DEV1 } }),
    ],
  ])('says "%s"', (text, tx) => {
    const line = lineOf(tx);
    expect(line.text).toBe(`${text}  ok  0 of 0 gas`);
    expect(line.fields).toMatchObject({ settings: [text] });
  });

  it('falls back to "no message" when the message does not decode, and to the type name of other messages', () => {
    const garbled = devTx('/chronicle.dev.v1.MsgSetBalance', Uint8Array.of(0xff));
    expect(lineOf(garbled).text).toBe('no message  ok  0 of 0 gas');
    const send = devTx('/cosmos.bank.v1beta1.MsgSend', encode(MsgSendSchema));
    const line = lineOf(send);
    expect(line.text).toBe('MsgSend  ok  0 of 0 gas');
    expect(line.fields).not.toHaveProperty('settings');
  });
});
