/**
 * Signatures of Ethermint and Evmos wallets: the signer signs EIP-712 typed data, and an extension option contains
 * the signature (ethermint v0.22 `app/ante/eip712.go`).
 */
import { fromBinary } from '@bufbuild/protobuf';
import { concat, equal } from '../../../bytes/bytes.js';
import { hex } from '../../../bytes/hex.js';
import type { Crypto } from '../../../ports/crypto.js';
import { SignMode } from '../../../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { ExtensionOptionsWeb3TxSchema } from '../../../proto/ethermint/types/v1/web3_pb.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import { SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import type { SignedTx } from '../../../sdk/module/tx.js';
import { payerDigest } from '../../../sdk/signing/eip712/digests.js';
import {
  addressOf,
  type PublicKey,
  type SinglePublicKey,
  verifyEthereumSignature,
} from '../../../sdk/signing/public-key.js';
import type { SigningFacts } from '../../../sdk/signing/signing-facts.js';
import type { SignatureData } from './multisig.js';

export const WEB3_URL = `/${ExtensionOptionsWeb3TxSchema.typeName}`;

/** True for a transaction whose first extension option contains its signature. */
export const isWeb3 = ({ body }: Pick<SignedTx, 'body'>): boolean => body.extensionOptions[0]?.typeUrl === WEB3_URL;

/** Requires exactly one signer; throws SDK error 14. */
export function requireOneSigner(count: number): void {
  if (count === 1) return;
  throw new SdkError(
    sdkErrors.tooManySignatures,
    `invalid number of signers (${count});  EIP712 signatures allows just one signature`,
  );
}

/** Error for a signature in the option that is invalid for key and transaction; undefined for a valid one. */
export function optionFaultOf(
  crypto: Crypto,
  tx: SignedTx,
  key: PublicKey,
  data: SignatureData,
  facts: SigningFacts,
): string | undefined {
  if (data.kind === 'multi' || key.kind === 'multisig')
    return `unexpected SignatureData *signing.MultiSignatureData: ${sdkErrors.tooManySignatures.text}`;
  if (data.mode !== SignMode.LEGACY_AMINO_JSON)
    return `unexpected SignatureData *signing.SingleSignatureData: wrong SignMode: ${sdkErrors.notSupported.text}`;
  // There is no rule for what an ordinary signature would sign here.
  if (data.signature.length > 0)
    return `invalid signature value; EIP712 must have the cosmos transaction signature empty: ${sdkErrors.tooManySignatures.text}`;
  const [option, ...others] = tx.body.extensionOptions;
  if (option === undefined || others.length > 0)
    return `tx doesnt contain expected amount of extension options: ${sdkErrors.unknownExtensionOptions.text}`;
  const { typedDataChainId, feePayer, feePayerSig } = fromBinary(ExtensionOptionsWeb3TxSchema, option.value);
  if (typedDataChainId !== facts.evmChainId) return 'invalid chain-id: invalid chain-id';
  if (feePayer === '') return `no feePayer on ExtensionOptionsWeb3Tx: ${sdkErrors.unknownExtensionOptions.text}`;
  const payer = readBech32Address(facts.bech32Prefix, feePayer);
  if (!payer.ok) return `failed to parse feePayer from ExtensionOptionsWeb3Tx: ${payer.error.message}`;
  const made = payerDigest(crypto, tx, facts, encodeAddress(facts.bech32Prefix, payer.bytes));
  return made.ok ? faultOverDigest(crypto, made.digest, feePayerSig, key, payer.bytes, facts) : made.message;
}

/**
 * Error for 65 bytes r || s || v (v from 0 or from 27) that are not a signature of the payer's key; undefined when
 * they are.
 */
function faultOverDigest(
  crypto: Crypto,
  digest: Uint8Array,
  signature: Uint8Array,
  key: SinglePublicKey,
  payer: Uint8Array,
  { address }: SigningFacts,
): string | undefined {
  const wrongSigner = sdkErrors.invalidSigner.text;
  const v = signature[64];
  if (v === undefined || signature.length !== 65)
    return `signature length doesn't match typical [R||S||V] signature 65 bytes: ${wrongSigner}`;
  const parity = v === 27 || v === 28 ? v - 27 : v;
  if (parity > 3) return 'failed to recover delegated fee payer from sig: invalid signature recovery id';
  const signed = parity === 0 || parity === 1 ? recoveredKey(crypto, digest, signature, parity) : undefined;
  if (signed === undefined) return 'failed to recover delegated fee payer from sig: recovery failed';
  if (key.kind !== signed.kind || !equal(key.key, signed.key))
    return `feePayer pubkey ${keyText(key)} is different from transaction pubkey ${keyText(signed)}: ${sdkErrors.invalidPubKey.text}`;
  const own = addressOf(crypto, signed);
  if (own === undefined || !equal(own, payer))
    return `failed to verify delegated fee payer ${address} signature: ${wrongSigner}`;
  if (verifyEthereumSignature(crypto, signed, digest, signature)) return undefined;
  return `unable to verify signer signature of EIP712 typed data: ${wrongSigner}`;
}

function recoveredKey(
  crypto: Crypto,
  digest: Uint8Array,
  signature: Uint8Array,
  parity: 0 | 1,
): SinglePublicKey | undefined {
  const point = crypto.recoverSecp256k1(digest, signature.slice(0, 64), parity);
  if (point === undefined) return undefined;
  const sign = 2 + ((point[63] ?? 0) & 1);
  return { kind: 'eth_secp256k1', key: concat(Uint8Array.of(sign), point.slice(0, 32)) };
}

/** Key type names as Go prints them (cosmos-sdk v0.46 `crypto/keys`, ethermint v0.22 `crypto/ethsecp256k1`). */
const KEY_NAMES = {
  eth_secp256k1: 'EthPubKeySecp256k1',
  secp256k1: 'PubKeySecp256k1',
  ed25519: 'PubKeyEd25519',
} as const;

const keyText = ({ kind, key }: SinglePublicKey): string => `${KEY_NAMES[kind]}{${hex(key).toUpperCase()}}`;
