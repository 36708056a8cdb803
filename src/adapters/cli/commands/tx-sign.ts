import { signerInfoOf } from '../../../core/keys/tx-signing.js';
import { create } from '@bufbuild/protobuf';
import type { KeyEntry } from '../../../core/keys/keyring.js';
import { AuthInfoSchema, type Tx, TxSchema } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandBody } from '../command-table.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { addressOf, keyOf, nodePrefix } from '../names.js';
import type { CommandContext } from '../context.js';
import { readTransaction, readTransactions, writeLines } from '../tx/read.js';
import { signatureOf, signed, signingMode } from '../tx/sign.js';
import { signatureJson } from '../tx/signatures.js';
import { signersOf } from '../tx/signers.js';
import { contextOf, signingContext } from '../tx/account.js';
import { transactionJson } from '../tx-json.js';
import type { SigningContext, SigningMode } from '../../../core/keys/tx-signing.js';

/** `tx sign FILE --from KEY`: the transaction with its signature, or the signature alone. */
export const sign: CommandBody = async (context, [file = ''], flags) => {
  const tx = await readTransaction(context, file);
  const { entry, account, mode, alone } = await signingAs(context, flags);
  if (account === entry.bech32) requireSigner(tx, entry);
  const at = contextOf(tx, await signingContext(context, account, flags));
  writeLines(context, flags, [signedLine(tx, entry, mode, at, alone, flags.is('overwrite'))]);
};

/** `tx sign-batch FILE...`: signs each transaction of each file, one per line, with consecutive sequences. */
export const signBatch: CommandBody = async (context, files, flags) => {
  const { entry, account, mode, alone } = await signingAs(context, flags);
  const at = await signingContext(context, account, flags);
  const lines: string[] = [];
  for (const file of files) {
    for (const tx of await readTransactions(context, file))
      lines.push(
        signedLine(
          tx,
          entry,
          mode,
          contextOf(tx, { ...at, sequence: at.sequence + BigInt(lines.length) }),
          alone,
          true,
        ),
      );
  }
  writeLines(context, flags, lines);
};

/**
 * The signing key and the account of its signature: the account of the key, or the threshold account of `--multisig`.
 */
async function signingAs(context: CommandContext, flags: Flags) {
  const prefix = await nodePrefix(context);
  const entry = await keyOf(context, flags.needed('from'), prefix);
  const multisig = flags.text('multisig');
  // Members of a threshold account sign in amino JSON, because that document does not list the signers.
  const mode: SigningMode = multisig === undefined ? signingMode(flags) : 'amino-json';
  return {
    entry,
    mode,
    account: multisig === undefined ? entry.bech32 : await addressOf(context, multisig, prefix),
    alone: multisig !== undefined || flags.is('signature-only'),
  };
}

function signedLine(
  tx: Tx,
  entry: KeyEntry,
  mode: SigningMode,
  at: SigningContext,
  alone: boolean,
  overwrite: boolean,
): string {
  if (!alone) return JSON.stringify(transactionJson(signed(tx, entry, mode, at, overwrite)));
  if (entry.key.kind === 'multisig')
    throw new CommandError(
      EXIT.usage,
      `${entry.name} is a threshold of keys; its members sign with --multisig ${entry.name}`,
    );
  const named = create(TxSchema, {
    ...tx,
    authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos: [signerInfoOf(entry.key, mode, at.sequence)] }),
  });
  return signatureJson(entry.key, mode, signatureOf(named, entry, mode, at), at.sequence);
}

function requireSigner(tx: Tx, { name, bech32 }: KeyEntry): void {
  if (!signersOf(tx).includes(bech32))
    throw new CommandError(
      EXIT.other,
      `${name} (${bech32}) is no signer of this transaction: tx intended signer does not match the given signer`,
    );
}
