import type { Crypto } from '../../../ports/crypto.js';
import { SignMode } from '../../../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { NoAminoForm } from '../../../sdk/codec/amino-json.js';
import { typedDigests } from '../../../sdk/signing/eip712/digests.js';
import { type PublicKey, verifyEthereumSignature, verifySignature } from '../../../sdk/signing/public-key.js';
import { aminoSignBytes } from '../../../sdk/signing/sign-amino.js';
import { directAuxSignBytes, directSignBytes } from '../../../sdk/signing/sign-doc.js';
import { NoTextualForm } from '../../../sdk/signing/textual/numbers.js';
import { textualSignBytes } from '../../../sdk/signing/textual/sign-bytes.js';
import type { SigningFacts } from '../../../sdk/signing/signing-facts.js';
import type { SignedTx } from '../../../sdk/module/tx.js';
import { type IsSigned, type SignatureData, signatureFault } from './multisig.js';
import { isWeb3, optionFaultOf } from './web3-option.js';

/**
 * Error for a signature that is invalid for key, transaction and sign mode; undefined for a valid one. Supports
 * direct, direct aux, amino JSON, textual and multisig. Ethereum keys may sign EIP-712 typed data instead of direct
 * or amino bytes, or in an extension option.
 */
export function signatureFaultOf(
  crypto: Crypto,
  tx: SignedTx,
  key: PublicKey,
  data: SignatureData,
  facts: SigningFacts,
): string | undefined {
  if (isWeb3(tx)) return optionFaultOf(crypto, tx, key, data, facts);
  // Members of a multisig sign the same document, which may be long, so it is built once.
  const made = new Map<SignMode, Uint8Array | undefined>();
  const signBytes = (mode: SignMode): Uint8Array | undefined => {
    // Each textual signature pays gas for its reads of the state.
    if (mode === SignMode.TEXTUAL) return signBytesOf(tx, mode, facts);
    if (!made.has(mode)) made.set(mode, signBytesOf(tx, mode, facts));
    return made.get(mode);
  };
  const isSigned: IsSigned = (mode, single, part) => {
    const bytes = signBytes(mode);
    if (bytes === undefined) return false;
    if (verifySignature(crypto, single, bytes, part)) return true;
    if (single.kind !== 'eth_secp256k1') return false;
    for (const digest of typedDigests(crypto, tx, mode, facts))
      if (verifyEthereumSignature(crypto, single, digest, part)) return true;
    return false;
  };
  return signatureFault(isSigned, key, data);
}

/** True when a signature depends on the state: SIGN_MODE_TEXTUAL reads denom metadata. */
export function readsState(data: SignatureData | undefined): boolean {
  if (data?.kind === 'single') return data.mode === SignMode.TEXTUAL;
  return data !== undefined && data.parts.some(readsState);
}

/** Sign bytes of a mode; undefined for unsupported modes and for transactions that have none in this mode. */
function signBytesOf(tx: SignedTx, mode: SignMode, facts: SigningFacts): Uint8Array | undefined {
  try {
    switch (mode) {
      case SignMode.DIRECT:
        return directSignBytes(tx.bodyBytes, tx.authInfoBytes, facts.chainId, facts.accountNumber);
      case SignMode.DIRECT_AUX:
        return facts.auxPayer === undefined || facts.auxPayer === facts.address
          ? undefined
          : directAuxSignBytes(tx.bodyBytes, facts);
      case SignMode.TEXTUAL:
        return textualSignBytes(tx, facts);
      case SignMode.LEGACY_AMINO_JSON:
        return aminoBytesOf(tx, facts);
      case SignMode.UNSPECIFIED:
      case SignMode.EIP_191:
        return undefined;
    }
    // A number that the enum does not contain.
    return undefined;
  } catch (error) {
    if (error instanceof NoAminoForm || error instanceof NoTextualForm) return undefined;
    throw error;
  }
}

function aminoBytesOf(tx: SignedTx, facts: SigningFacts): Uint8Array | undefined {
  // Amino's document cannot contain extension options (cosmossdk.io/x/tx v0.14 `signing/aminojson/aminojson.go`) or
  // unknown fields.
  if (tx.unknownFields || tx.body.extensionOptions.length > 0 || tx.body.nonCriticalExtensionOptions.length > 0)
    return undefined;
  return aminoSignBytes(tx.body, tx.authInfo, facts, facts.types);
}
