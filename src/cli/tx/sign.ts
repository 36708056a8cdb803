import { create } from '@bufbuild/protobuf';
import { NoAminoForm } from '../../core/sdk/codec/amino-json.js';
import { NoTextualForm } from '../../core/sdk/signing/textual/numbers.js';
import type { KeyEntry } from '../../core/keys/keyring.js';
import {
  signBytes,
  signBytesOf,
  signerInfoOf,
  type SigningAccount,
  type SigningContext,
  type SigningMode,
  signingModeOf,
} from '../../core/keys/tx-signing.js';
import { AuthInfoSchema, type ModeInfo, type Tx, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';

/** The sign mode of the flags. Throws for an unknown one. */
export function signingMode(flags: Flags): SigningMode {
  const mode = flags.text('sign-mode');
  return mode === 'amino-json' || mode === 'textual' ? mode : 'direct';
}

/** A signing key with its signing context. */
export interface Signing {
  readonly entry: KeyEntry;
  readonly at: SigningContext;
}

/** Returns the transaction with only the signatures of these keys, in the order of its required signers. */
export function signedBy(tx: Tx, mode: SigningMode, signers: readonly Signing[]): Tx {
  const signerInfos = signers.map(({ entry, at }) => signerInfoOf(entry.key, mode, at.sequence));
  const named = create(TxSchema, { ...tx, authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos }) });
  return create(TxSchema, {
    ...named,
    signatures: signers.map(({ entry, at }) => signatureOf(named, entry, mode, at)),
  });
}

/**
 * Appends a signature to a transaction. Modes direct and textual cover the list of signers, so only the last signer
 * can use them; a further signature is rejected, because it would invalidate the earlier one (cosmos-sdk v0.53
 * `client/tx/tx.go` checkMultipleSigners).
 */
export function signedToo(tx: Tx, mode: SigningMode, { entry, at }: Signing): Tx {
  const before = tx.authInfo?.signerInfos ?? [];
  const modes = before.flatMap(({ modeInfo }) => modesOf(modeInfo));
  if (mode === 'direct' && modes.includes('direct'))
    throw new CommandError(
      EXIT.failed,
      'txs signed with CLI can have maximum 1 DIRECT signer: the others sign first, with --sign-mode amino-json',
    );
  const spoiled = modes.find((one) => one !== 'amino-json');
  if (spoiled !== undefined)
    throw new CommandError(
      EXIT.failed,
      `a signature in mode ${spoiled} covers the list of signers, and is the last one: sign with --sign-mode amino-json before it`,
    );
  const signerInfos = [...before, signerInfoOf(entry.key, mode, at.sequence)];
  const named = create(TxSchema, { ...tx, authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos }) });
  return create(TxSchema, { ...named, signatures: [...tx.signatures, signatureOf(named, entry, mode, at)] });
}

/** The sign modes of a signer; for a multisig key, those of its members. */
export function modesOf(info: ModeInfo | undefined): readonly SigningMode[] {
  if (info?.sum.case === 'multi') return info.sum.value.modeInfos.flatMap(modesOf);
  return [info?.sum.case === 'single' ? signingModeOf(info.sum.value.mode) : 'direct'];
}

/** Signs a transaction whose list of signers is complete. */
export function signatureOf(tx: Tx, entry: KeyEntry, mode: SigningMode, at: SigningContext): Uint8Array {
  if (entry.privateKey === undefined)
    throw new CommandError(EXIT.failed, `cannot sign with ${entry.name}: its private key is not here`);
  return signBytes(
    entry.key.kind,
    bytesToSign(tx, mode, at, { address: entry.bech32, key: entry.key }),
    entry.privateKey,
  );
}

/** The sign bytes of a transaction. Throws a usage error if a message cannot be encoded in the mode. */
export function bytesToSign(tx: Tx, mode: SigningMode, at: SigningContext, account: SigningAccount): Uint8Array {
  try {
    return signBytesOf(tx, mode, at, account);
  } catch (error) {
    if (error instanceof NoAminoForm || error instanceof NoTextualForm)
      throw new CommandError(EXIT.usage, `--sign-mode ${mode}: ${error.message}`);
    throw error;
  }
}
