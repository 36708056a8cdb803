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

/** The sign mode by the flags. Throws for an unknown one. */
export function signingMode(flags: Flags): SigningMode {
  const mode = flags.text('sign-mode');
  return mode === 'amino-json' || mode === 'textual' ? mode : 'direct';
}

/** A key that signs, and its account before the transaction. */
export interface Signing {
  readonly entry: KeyEntry;
  readonly at: SigningContext;
}

/** The transaction with the signatures of these keys alone, in the order of its required signers. */
export function signedBy(tx: Tx, mode: SigningMode, signers: readonly Signing[]): Tx {
  const signerInfos = signers.map(({ entry, at }) => signerInfoOf(entry.key, mode, at.sequence));
  const named = create(TxSchema, { ...tx, authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos }) });
  return create(TxSchema, {
    ...named,
    signatures: signers.map(({ entry, at }) => signatureOf(named, entry, mode, at)),
  });
}

/**
 * The transaction with a signature of the key after its other signatures. A signature in mode direct or textual covers
 * the list of signers, so only the last of several signers can use these modes: one more is refused, because it would
 * spoil the signature (cosmos-sdk v0.53 `client/tx/tx.go` checkMultipleSigners).
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

/** The modes of a signer; those of its members for a threshold key. */
export function modesOf(info: ModeInfo | undefined): readonly SigningMode[] {
  if (info?.sum.case === 'multi') return info.sum.value.modeInfos.flatMap(modesOf);
  return [info?.sum.case === 'single' ? signingModeOf(info.sum.value.mode) : 'direct'];
}

/** The key's signature over a transaction with a complete list of signers. */
export function signatureOf(tx: Tx, entry: KeyEntry, mode: SigningMode, at: SigningContext): Uint8Array {
  if (entry.privateKey === undefined)
    throw new CommandError(EXIT.failed, `cannot sign with ${entry.name}: its private key is not here`);
  return signBytes(
    entry.key.kind,
    bytesToSign(tx, mode, at, { address: entry.bech32, key: entry.key }),
    entry.privateKey,
  );
}

/** Sign bytes; a usage error when a message has no form in the mode. */
export function bytesToSign(tx: Tx, mode: SigningMode, at: SigningContext, account: SigningAccount): Uint8Array {
  try {
    return signBytesOf(tx, mode, at, account);
  } catch (error) {
    if (error instanceof NoAminoForm || error instanceof NoTextualForm)
      throw new CommandError(EXIT.usage, `--sign-mode ${mode}: ${error.message}`);
    throw error;
  }
}
