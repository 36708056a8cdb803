/**
 * A threshold key counts as many signatures as it has members (SDK `ValidateSigCountDecorator`), and pays gas for the
 * members that signed.
 */
import { expect, it } from 'vitest';
import { ETHEREUM_KEY_GAS } from '../../../../src/core/modules/auth/rules.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { addressOf, parsePublicKey } from '../../../../src/core/sdk/signing/public-key.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import type { ExecTxResult } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, codes, DevChain, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

const WRONG_SIGNATURE = 4;
const TOO_MANY_SIGNATURES = 14;
const GAS = 300_000n;
const FEE = [{ denom: 'achr', amount: String(GAS * 2_000_000_000n) }];

/**
 * Result of a transaction of a funded threshold key. Its `bits`, from the highest on, claim which members signed; no
 * member did.
 */
function resultWith(members: number, bits = 0): ExecTxResult {
  const publicKeys = Array.from({ length: members }, (_, index) => anyOf(PubKeySchema, { key: account(index).key }));
  const any = anyOf(LegacyAminoPubKeySchema, { threshold: 1, publicKeys });
  const key = parsePublicKey(chronicle, any);
  const address = encodeAddress('chron', (key && addressOf(crypto, key)) ?? new Uint8Array());
  const dev = new DevChain();
  expect(
    codes(
      dev.block(signed(0, 0n, MsgSendSchema, { fromAddress: account(0).address, toAddress: address, amount: FEE })),
    ),
  ).toEqual([0]);
  const bodyBytes = encode(TxBodySchema, {
    messages: [
      anyOf(MsgSendSchema, {
        fromAddress: address,
        toAddress: account(0).address,
        amount: [{ denom: 'achr', amount: '1' }],
      }),
    ],
  });
  const parts = Array.from({ length: members }, () => new Uint8Array(65));
  const authInfoBytes = encode(AuthInfoSchema, {
    signerInfos: [
      {
        publicKey: any,
        modeInfo: {
          sum: {
            case: 'multi',
            value: {
              bitarray: { extraBitsStored: members % 8, elems: Uint8Array.of(bits) },
              modeInfos: parts.map(() => ({ sum: { case: 'single' as const, value: { mode: SignMode.DIRECT } } })),
            },
          },
        },
      },
    ],
    fee: { amount: FEE, gasLimit: GAS },
  });
  const block = dev.block(
    encode(TxRawSchema, {
      bodyBytes,
      authInfoBytes,
      signatures: [encode(MultiSignatureSchema, { signatures: parts })],
    }),
  );
  const result = block.kind === 'executed' ? block.results.txResults[0] : undefined;
  if (result === undefined) throw new Error('a block is executed');
  return result;
}

it('a threshold key may have as many members as signatures are allowed, and no more', () => {
  expect(resultWith(7).code).toBe(WRONG_SIGNATURE);
  expect(resultWith(8).code).toBe(TOO_MANY_SIGNATURES);
  expect(resultWith(8).log).toBe('signatures: 8, limit: 7: maximum number of signatures exceeded');
});

it('each member that signed costs the gas of its signature', () => {
  const one = resultWith(7, 0b1000_0000);
  const two = resultWith(7, 0b1100_0000);
  expect([one.code, two.code]).toEqual([WRONG_SIGNATURE, WRONG_SIGNATURE]);
  expect(two.gasUsed - one.gasUsed).toBe(ETHEREUM_KEY_GAS);
});
