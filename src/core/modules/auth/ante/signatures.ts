import type { Any } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { emit } from '../../../sdk/module/abci-event.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import { EMPTY, equal } from '../../../bytes/bytes.js';
import type { Context } from '../../../sdk/module/context.js';
import { addressOf, parsePublicKey, type PublicKey } from '../../../sdk/signing/public-key.js';
import { invalidRequest, plainError, SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import type { Tx } from '../../../sdk/module/tx.js';
import type { SigningFacts } from '../../../sdk/signing/signing-facts.js';
import type { AnteRule } from '../../../sdk/module/ante.js';
import { reencodeAny } from '../../../sdk/codec/reencode-any.js';
import { typedDataRules } from '../../../sdk/signing/eip712/typed-data-rules.js';
import { isValidDenom } from '../../../sdk/coins/coins.js';
import { NoTextualForm } from '../../../sdk/signing/textual/numbers.js';
import type { Params } from '../../../proto/cosmos/auth/v1beta1/auth_pb.js';
import type { Metadata } from '../../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { auxPayer } from './aux-payer.js';
import { readsState, signatureFaultOf } from './sign-modes.js';
import { onlyAmino, type SignatureData, signatureDataOf, signatureParts, signedMembers } from './multisig.js';
import { useTimeout } from './unordered.js';
import { isWeb3, requireOneSigner } from './web3-option.js';
import { getParams, requireAccount, setAccount, withBase } from '../accounts.js';
import { authRules, ETHEREUM_KEY_GAS } from '../rules.js';

/** Stores each signer's re-encoded public key at its first transaction; emits `tx{acc_seq}` and `tx{signature}`. */
export function setPublicKeys(context: Context, tx: Tx): void {
  const names = tx.signers.map((signer) => encodeAddress(context.chain.bech32Prefix, signer));
  tx.authInfo.signerInfos.forEach(({ publicKey: any }, index) => {
    const signer = tx.signers[index];
    if (signer === undefined) authRules.of(context).atKeyWithoutSigner(index, tx.signers.length);
    if (signer === undefined || any === undefined) return;
    const key = parsePublicKey(context.version, any);
    if (key === undefined) throw new SdkError(sdkErrors.invalidPubKey, `unrecognized public key type: ${any.typeUrl}`);
    const address = addressOf(context.crypto, key);
    if (context.mode !== 'simulate' && (address === undefined || !equal(address, signer))) {
      throw new SdkError(
        sdkErrors.invalidPubKey,
        `pubKey does not match signer address ${names[index] ?? ''} with signer index: ${index}`,
      );
    }
    const account = requireAccount(context, signer);
    if (account.base.pubKey !== undefined) return;
    const typeUrl = context.version.typeUrlAliases[any.typeUrl] ?? any.typeUrl;
    const pubKey = reencodeAny(context.router.types, { ...any, typeUrl });
    setAccount(context, signer, withBase(account, { pubKey }));
  });
  const signatures = signaturesOf(tx);
  tx.authInfo.signerInfos.slice(0, tx.signers.length).forEach(({ sequence }, index) => {
    if (!tx.body.unordered) emit(context, 'tx', () => [['acc_seq', `${names[index] ?? ''}/${sequence}`]]);
    const data = signatures[index];
    // Clients simulate without signatures.
    if (data === undefined && context.mode === 'simulate') return;
    for (const part of signatureParts(data)) emit(context, 'tx', () => [['signature', base64.encode(part)]]);
  });
}

/** Decoded signatures of the signers; undefined for one without a mode. */
function signaturesOf({ authInfo, signatures, signers }: Tx): readonly (SignatureData | undefined)[] {
  return authInfo.signerInfos
    .slice(0, signers.length)
    .map(({ modeInfo }, index) => modeInfo && signatureDataOf(modeInfo, signatures[index] ?? EMPTY));
}

/** Counts all keys, including members of multisig keys; throws SDK error 14 above the parameter `tx_sig_limit`. */
export function limitSignatures(context: Context, tx: Tx): void {
  const { txSigLimit } = getParams(context);
  const count = tx.authInfo.signerInfos.reduce((sum, { publicKey }) => sum + keysOf(context, publicKey), 0n);
  if (count > txSigLimit) throw new SdkError(sdkErrors.tooManySignatures, `signatures: ${count}, limit: ${txSigLimit}`);
}

/** Charges gas for verifying each signature, by the kind of key on the account. */
export function consumeSignatureGas(context: Context, tx: Tx): void {
  const params = getParams(context);
  const { simulatedGas } = authRules.of(context);
  const signatures = signaturesOf(tx);
  for (const [index, signer] of tx.signers.slice(0, tx.authInfo.signerInfos.length).entries()) {
    const key = accountKey(context, signer);
    const simulated = context.mode === 'simulate' ? simulatedGas(context, key, signer, params) : undefined;
    if (simulated !== undefined) context.gas.consume(simulated, 'ante verify: eth_secp256k1');
    else if (key !== undefined) consumeKeyGas(context, key, signatures[index], params);
    else if (context.mode === 'simulate') context.gas.consume(params.sigVerifyCostSecp256k1, 'ante verify: secp256k1');
    else throw new SdkError(sdkErrors.invalidPubKey, 'unrecognized/unsupported public key type: <nil>');
  }
}

/**
 * Charges gas for one key, or for the members of a multisig key that signed (cosmos/evm v0.6 `ante/sigverify.go`).
 */
function consumeKeyGas(context: Context, key: PublicKey, data: SignatureData | undefined, params: Params): void {
  switch (key.kind) {
    case 'eth_secp256k1':
      context.gas.consume(ETHEREUM_KEY_GAS, 'ante verify: eth_secp256k1');
      return;
    case 'secp256k1':
      context.gas.consume(params.sigVerifyCostSecp256k1, 'ante verify: secp256k1');
      return;
    case 'ed25519':
      context.gas.consume(params.sigVerifyCostEd25519, 'ante verify: ed25519');
      throw new SdkError(sdkErrors.invalidPubKey, 'ED25519 public keys are unsupported');
    case 'multisig':
      if (data?.kind !== 'multi')
        throw plainError(
          `expected *signing.MultiSignatureData, got, ${data === undefined ? '<nil>' : '*signing.SingleSignatureData'}`,
        );
      for (const member of signedMembers(key, data)) consumeKeyGas(context, member.key, member.data, params);
  }
}

/** Reads denom metadata (bank), which SIGN_MODE_TEXTUAL needs. */
export type MetadataKeeper = (context: Context, denom: string) => Metadata | undefined;

/**
 * Checks sequences and verifies signatures (cosmos-sdk v0.53 `SigVerificationDecorator` in
 * `x/auth/ante/sigverify.go`). `verified`: signatures are verified already, except those that depend on the state.
 * Simulations skip verification but check sequences.
 */
export const verifySignatures =
  (metadata: MetadataKeeper): AnteRule =>
  (context, tx, verified) =>
    verifyAll(context, tx, verified, metadata);

function verifyAll(context: Context, tx: Tx, verified: boolean, metadata: MetadataKeeper): void {
  const { unordered } = tx.body;
  const rules = authRules.of(context);
  if (unordered) rules.atUnordered();
  const infos = tx.authInfo.signerInfos;
  const isOption = isWeb3(tx);
  if (isOption) requireOneSigner(infos.length);
  if (infos.length !== tx.signers.length) {
    throw new SdkError(
      sdkErrors.unauthorized,
      `invalid number of signer;  expected: ${tx.signers.length}, got ${infos.length}`,
    );
  }
  if (unordered) useTimeout(context, tx);
  const signatures = signaturesOf(tx);
  infos.forEach((info, index) => {
    if (unordered && info.sequence > 0n) throw invalidRequest('sequence is not allowed for unordered transactions');
    const signer = tx.signers[index] ?? EMPTY;
    const { base } = requireAccount(context, signer);
    const key = base.pubKey === undefined ? undefined : parsePublicKey(context.version, base.pubKey);
    if (key === undefined && context.mode !== 'simulate')
      throw new SdkError(sdkErrors.invalidPubKey, 'pubkey on account is not set');
    if (!unordered && info.sequence !== base.sequence) {
      throw new SdkError(
        sdkErrors.wrongSequence,
        `account sequence mismatch, expected ${base.sequence}, got ${info.sequence}`,
      );
    }
    if (context.mode === 'simulate' || key === undefined || base.pubKey === undefined) return;
    const data = signatures[index];
    rules.requireKeys(infos);
    if (data === undefined) throw plainError('got empty SignatureData');
    if (verified && !readsState(data)) return;
    const number = context.height === 0n ? 0n : base.accountNumber;
    const at = { accountNumber: number, sequence: info.sequence };
    const facts = signingFacts(context, tx, signer, base.pubKey, at, metadata);
    const fault = signatureFaultOf(context.crypto, tx, key, data, facts);
    if (fault === undefined) return;
    if (isOption)
      throw new SdkError(
        sdkErrors.unauthorized,
        `signature verification failed; please verify account number (${number}) and chain-id (${context.chainId}): ${fault}`,
      );
    // The wrong part may be the sequence, which amino's sign bytes contain.
    throw new SdkError(
      sdkErrors.unauthorized,
      onlyAmino(data)
        ? `signature verification failed; please verify account number (${number}), sequence (${base.sequence}) and chain-id (${context.chainId})`
        : `signature verification failed; please verify account number (${number}) and chain-id (${context.chainId}): (${fault})`,
    );
  });
}

function signingFacts(
  context: Context,
  tx: Tx,
  signer: Uint8Array,
  publicKey: Any,
  { accountNumber, sequence }: Pick<SigningFacts, 'accountNumber' | 'sequence'>,
  metadata: MetadataKeeper,
): SigningFacts {
  const { chainId, chain } = context;
  const { types } = context.router;
  return {
    chainId,
    accountNumber,
    sequence,
    publicKey,
    bech32Prefix: chain.bech32Prefix,
    evmChainId: chain.evmChainId,
    typedData: typedDataRules.of(context),
    types,
    coinMetadata: (denom) => {
      if (!isValidDenom(denom)) throw new NoTextualForm(`invalid denom: ${denom}`);
      return metadata(context, denom);
    },
    get address() {
      return encodeAddress(chain.bech32Prefix, signer);
    },
    get auxPayer() {
      return auxPayer(tx, types, chain.bech32Prefix);
    },
  };
}

/** Increments the sequence of each signer; it wraps around after 64 bits, like the SDK's uint64. */
export function incrementSequences(context: Context, tx: Tx): void {
  if (tx.body.unordered) return;
  for (const signer of tx.signers) {
    const account = requireAccount(context, signer);
    setAccount(context, signer, withBase(account, { sequence: BigInt.asUintN(64, account.base.sequence + 1n) }));
  }
}

function accountKey(context: Context, signer: Uint8Array): PublicKey | undefined {
  const any = requireAccount(context, signer).base.pubKey;
  return any === undefined ? undefined : parsePublicKey(context.version, any);
}

/** Number of keys that count toward the signature limit: all members of a multisig key; none for an absent key. */
function keysOf({ version }: Context, any: Any | undefined): bigint {
  const key = any === undefined ? undefined : parsePublicKey(version, any);
  return key === undefined ? 0n : countKeys(key);
}

const countKeys = (key: PublicKey): bigint =>
  key.kind === 'multisig' ? key.keys.reduce((sum, member) => sum + countKeys(member), 0n) : 1n;
