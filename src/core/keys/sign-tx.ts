import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack, type Any } from '@bufbuild/protobuf/wkt';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { directSignBytes } from '../app/sign-doc.js';
import { CoinSchema } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import { PubKeySchema } from '../proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../proto/cosmos/tx/v1beta1/tx_pb.js';

export interface TxFee {
  readonly amount: readonly { readonly denom: string; readonly amount: bigint }[];
  readonly gasLimit: bigint;
}

/** A transaction of one signer before it is signed. */
export interface UnsignedTx {
  readonly messages: readonly Any[];
  readonly memo: string;
  readonly fee: TxFee;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** 64-byte r || s over keccak256 of the sign bytes: how ethsecp256k1 keys sign (application-modules.md 3.2). */
function signEthSecp256k1(signBytes: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return secp256k1.sign(keccak_256(signBytes), privateKey, { prehash: false });
}

/** Encoded TxRaw in SIGN_MODE_DIRECT, signed by one ethsecp256k1 key. */
export function signTx(tx: UnsignedTx, privateKey: Uint8Array): Uint8Array {
  const { body, authInfo } = encodeParts(tx, secp256k1.getPublicKey(privateKey, true));
  const signature = signEthSecp256k1(directSignBytes(body, authInfo, tx.chainId, tx.accountNumber), privateKey);
  return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: body, authInfoBytes: authInfo, signatures: [signature] }));
}

/** The same bytes with an empty signature: what gas is simulated with. */
export function unsignedTxBytes(tx: UnsignedTx, publicKey: Uint8Array): Uint8Array {
  const { body, authInfo } = encodeParts(tx, publicKey);
  return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: body, authInfoBytes: authInfo, signatures: [new Uint8Array(0)] }));
}

function encodeParts(tx: UnsignedTx, publicKey: Uint8Array): { readonly body: Uint8Array; readonly authInfo: Uint8Array } {
  const body = create(TxBodySchema, { messages: [...tx.messages], memo: tx.memo });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [
      {
        publicKey: packed(publicKey),
        modeInfo: { sum: { case: 'single', value: { mode: SignMode.DIRECT } } },
        sequence: tx.sequence,
      },
    ],
    fee: {
      amount: tx.fee.amount.map(({ denom, amount }) => create(CoinSchema, { denom, amount: amount.toString() })),
      gasLimit: tx.fee.gasLimit,
    },
  });
  return { body: toBinary(TxBodySchema, body), authInfo: toBinary(AuthInfoSchema, authInfo) };
}

/** `Any` of an ethsecp256k1 key; the SDK writes type URLs with a bare slash. */
function packed(key: Uint8Array): Any {
  return sdkAny(anyPack(PubKeySchema, create(PubKeySchema, { key })));
}

/** The SDK's type URL of an `Any`: `/` and the full name, without a host. */
export function sdkAny(any: Any): Any {
  return { ...any, typeUrl: any.typeUrl.replace(/^[^/]*\//, '/') };
}
