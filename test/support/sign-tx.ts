import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { signBytesOf, signerInfoOf, type SigningContext } from '../../src/core/keys/tx-signing.js';
import { AuthInfoSchema, TxBodySchema, TxSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { publicKeyOf, signDigest } from './secp256k1.js';
import { encode } from './encode.js';

/** A transaction of one dev account before it is signed. */
export interface UnsignedTx extends SigningContext {
  readonly messages: readonly Any[];
  readonly memo: string;
  readonly fee: {
    readonly amount: readonly { readonly denom: string; readonly amount: bigint }[];
    readonly gasLimit: bigint;
  };
}

/** Encoded transaction in mode direct, signed by one eth_secp256k1 key as the command line signs. */
export function signTx({ messages, memo, fee, ...signer }: UnsignedTx, privateKey: Uint8Array): Uint8Array {
  const key = { kind: 'eth_secp256k1', key: publicKeyOf(privateKey) } as const;
  const body = create(TxBodySchema, { messages: [...messages], memo });
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [signerInfoOf(key, 'direct', signer.sequence)],
    fee: { amount: fee.amount.map(({ denom, amount }) => ({ denom, amount: String(amount) })), gasLimit: fee.gasLimit },
  });
  const tx = create(TxSchema, { body, authInfo });
  const { signature, yParity } = signDigest(keccak_256(signBytesOf(tx, 'direct', signer)), privateKey);
  return encode(TxSchema, { ...tx, signatures: [Uint8Array.of(...signature, yParity)] });
}

/** A message as the SDK packs it: its type URL has a bare slash. */
export function anyOf<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: encode(schema, message) });
}
