/** Sign bytes of every message type of every module, with any content, in every mode. */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTransaction } from '../../../../src/core/ethereum/transaction-codec.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { NoAminoForm } from '../../../../src/core/sdk/codec/amino-json.js';
import { decodeTx, type DecodedTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { typedDigests } from '../../../../src/core/sdk/signing/eip712/digests.js';
import { typedDataRules } from '../../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import { aminoSignBytes } from '../../../../src/core/sdk/signing/sign-amino.js';
import type { SigningFacts } from '../../../../src/core/sdk/signing/signing-facts.js';
import { NoTextualForm } from '../../../../src/core/sdk/signing/textual/numbers.js';
import { textualSignBytes } from '../../../../src/core/sdk/signing/textual/sign-bytes.js';
import { arbitraryMessage, isSigned, messagesOf } from '../../../support/arbitrary-message.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { anyOf } from '../../../support/sign-tx.js';
import { crypto, toHex } from '../../app/support.js';

const signed = messagesOf(KNOWN_TYPES).filter(isSigned);
/** Decoding reads the Ethereum transaction that this message holds, and refuses other bytes. */
const ETHEREUM = 'cosmos.evm.vm.v1.MsgEthereumTx';
const RAW = encodeTransaction({
  ...{ type: 0, chainId: 1n, nonce: 0n, gasPrice: 7n, gasLimit: 21_000n },
  ...{ to: new Uint8Array(20), value: 1n, data: new Uint8Array(0), yParity: 0, r: 1n, s: 1n },
});
const key = anyOf(PubKeySchema, { key: new Uint8Array(33).fill(2) });
const facts: SigningFacts = {
  chainId: '9001',
  accountNumber: 7n,
  sequence: 3n,
  address: 'cosmos1',
  publicKey: key,
  auxPayer: undefined,
  bech32Prefix: 'cosmos',
  evmChainId: 262144n,
  typedData: typedDataRules.ordinary,
  types: KNOWN_TYPES,
  coinMetadata: () => undefined,
};

/** Sign bytes of each mode, or the reason that there are none. */
function signBytesOf(tx: DecodedTx): readonly string[] {
  const attempt = (make: () => Uint8Array): string => {
    try {
      return toHex(make());
    } catch (error) {
      if (error instanceof NoAminoForm || error instanceof NoTextualForm) return error.message;
      throw error;
    }
  };
  const handler = { typeUrl: '', responseTypeUrl: '', signers: () => [], handle: () => new Uint8Array() };
  const resolved = {
    ...tx,
    handlers: tx.body.messages.map(({ value }) => ({ handler, value, signers: [facts.address] })),
    signers: [new Uint8Array(20)],
    feePayer: undefined,
    feeGranter: undefined,
    signersFault: undefined,
    granterFault: undefined,
  };
  return [
    attempt(() => aminoSignBytes(tx.body, tx.authInfo, facts, KNOWN_TYPES)),
    attempt(() => textualSignBytes(tx, facts)),
    ...[SignMode.DIRECT, SignMode.LEGACY_AMINO_JSON].map((mode) =>
      [...typedDigests(crypto, resolved, mode, facts)].map(toHex).join(' '),
    ),
  ];
}

describe('sign bytes', () => {
  it.each(signed.map((desc) => ({ name: desc.typeName, desc })))(
    'of $name (type %#) do not depend on its decoding, and change with the memo',
    ({ desc }) => {
      fc.assert(
        fc.property(
          arbitraryMessage(desc, [MsgSendSchema, PubKeySchema]),
          fc.string({ maxLength: 9 }),
          (made, memo) => {
            const message = desc.typeName === ETHEREUM ? { ...made, raw: RAW } : made;
            const any = create(AnySchema, { typeUrl: `/${desc.typeName}`, value: toBinary(desc, message) });
            const body = create(TxBodySchema, { messages: [any], memo });
            const authInfo = create(AuthInfoSchema, {
              signerInfos: [
                {
                  publicKey: key,
                  modeInfo: { sum: { case: 'single', value: { mode: SignMode.TEXTUAL } } },
                  sequence: 3n,
                },
              ],
              fee: { amount: [{ denom: 'atest', amount: '1000' }], gasLimit: 200_000n },
            });
            const raw = toBinary(
              TxRawSchema,
              create(TxRawSchema, {
                bodyBytes: toBinary(TxBodySchema, body),
                authInfoBytes: toBinary(AuthInfoSchema, authInfo),
                signatures: [new Uint8Array(64)],
              }),
            );
            const first = signBytesOf(decodeTx(raw));
            expect(signBytesOf(decodeTx(raw.slice()))).toEqual(first);
            const other = create(TxBodySchema, { ...body, memo: `${memo}.` });
            const changed = signBytesOf({ ...decodeTx(raw), body: other });
            for (const [mode, bytes] of changed.entries())
              if (/^[0-9a-f]{64}/.test(bytes)) expect(bytes).not.toBe(first[mode]);
          },
        ),
        { numRuns: propertyRuns(10) },
      );
    },
  );
});
