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
} from '../../core/keys/tx-signing.js';
import { AuthInfoSchema, type Tx, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';

/** The sign mode by the flags. Throws for an unknown one. */
export function signingMode(flags: Flags): SigningMode {
  const mode = flags.text('sign-mode');
  return mode === 'amino-json' || mode === 'textual' ? mode : 'direct';
}

/**
 * The transaction with a signature of the key; its other signatures are kept unless `overwrite`. In mode direct a
 * signature covers the list of signers, so only the last of several signers can use that mode.
 */
export function signed(tx: Tx, entry: KeyEntry, mode: SigningMode, at: SigningContext, overwrite: boolean): Tx {
  const before = overwrite ? [] : (tx.authInfo?.signerInfos ?? []);
  const authInfo = create(AuthInfoSchema, {
    ...tx.authInfo,
    signerInfos: [...before, signerInfoOf(entry.key, mode, at.sequence)],
  });
  const named = create(TxSchema, { ...tx, authInfo });
  return create(TxSchema, {
    ...named,
    signatures: [...(overwrite ? [] : tx.signatures), signatureOf(named, entry, mode, at)],
  });
}

/** The key's signature over a transaction with a complete list of signers. */
export function signatureOf(tx: Tx, entry: KeyEntry, mode: SigningMode, at: SigningContext): Uint8Array {
  if (entry.privateKey === undefined)
    throw new CommandError(EXIT.other, `cannot sign with ${entry.name}: its private key is not here`);
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
