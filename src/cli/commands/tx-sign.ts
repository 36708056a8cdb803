import { signerInfoOf } from '../../core/keys/tx-signing.js';
import { create } from '@bufbuild/protobuf';
import type { KeyEntry } from '../../core/keys/keyring.js';
import { AuthInfoSchema, type Tx, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { addressOf, keyOf, nodePrefix } from '../values/names.js';
import type { CommandContext } from '../context.js';
import { OUTPUT_DOCUMENT, readTransaction, readTransactions, writeLines } from '../tx/read.js';
import { signatureOf, signedBy, signedToo, signingMode } from '../tx/sign.js';
import { signatureJson } from '../tx/signatures.js';
import { signersOf } from '../tx/signers.js';
import { contextOf, signingContext } from '../tx/account.js';
import { transactionJson } from '../values/tx-json.js';
import { equal } from '../../core/bytes/bytes.js';
import type { NestedKey } from '../../core/sdk/signing/account-key.js';
import type { SigningContext, SigningMode } from '../../core/keys/tx-signing.js';

/** `tx sign FILE --from KEY`: prints the signed transaction, or only the signature. */
const sign: CommandBody = async (context, [file = ''], flags) => {
  const tx = await readTransaction(context, file);
  const { entry, account, mode, alone } = await signingAs(context, flags);
  if (account === entry.bech32) requireSigner(tx, entry);
  const at = contextOf(tx, await signingContext(context, account, flags));
  writeLines(context, flags, [signedLine(tx, entry, mode, at, alone, flags.is('overwrite'))]);
};

/** `tx sign-batch FILE...`: signs each transaction of each file, one per line, with consecutive sequences. */
const signBatch: CommandBody = async (context, files, flags) => {
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

/** The signing key, and the account it signs for: its own, or the multisig account of `--multisig`. */
async function signingAs(context: CommandContext, flags: Flags) {
  const prefix = await nodePrefix(context);
  const entry = await keyOf(context, flags.needed('from'), prefix);
  const multisig = flags.text('multisig');
  if (multisig === undefined)
    return { entry, mode: signingMode(flags), account: entry.bech32, alone: flags.is('signature-only') };
  requireMemberMode(flags);
  const account = await addressOf(context, multisig, prefix);
  const threshold = (await context.keyring(prefix)).find(multisig);
  if (threshold.ok && !isMember(threshold.value.key, entry.key))
    throw new CommandError(EXIT.usage, `${entry.name} is not a part of the multisig key ${multisig}`);
  return { entry, mode: 'amino-json' as const, account, alone: true };
}

/**
 * Throws for another mode than amino-json: the other modes cover the list of signers, which is not known before all
 * members have signed.
 */
function requireMemberMode(flags: Flags): void {
  const mode = flags.text('sign-mode');
  if (mode !== undefined && mode !== 'amino-json')
    throw new CommandError(
      EXIT.usage,
      `--sign-mode ${mode}: members of a threshold key sign with amino-json, for the other modes cover who signed`,
    );
}

/** True for a direct or nested member of a multisig key. */
function isMember(key: KeyEntry['key'] | NestedKey, member: KeyEntry['key']): boolean {
  return (
    'keys' in key &&
    key.keys.some((one) =>
      'keys' in one ? isMember(one, member) : 'key' in member && one.kind === member.kind && equal(one.key, member.key),
    )
  );
}

function signedLine(
  tx: Tx,
  entry: KeyEntry,
  mode: SigningMode,
  at: SigningContext,
  alone: boolean,
  overwrite: boolean,
): string {
  if (!alone) {
    const signed = overwrite ? signedBy(tx, mode, [{ entry, at }]) : signedToo(tx, mode, { entry, at });
    return JSON.stringify(transactionJson(signed));
  }
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
      EXIT.failed,
      `${name} (${bech32}) is no signer of this transaction: tx intended signer does not match the given signer`,
    );
}

const MULTISIG: OptionRow = {
  flag: '--multisig <account>',
  doc: 'threshold account that the key signs for, by name or address; prints the signature alone',
};
const SIGNATURE_ONLY: OptionRow = { flag: '--signature-only', doc: 'print the signature alone' };

export const commands: readonly CommandRow[] = [
  send('sign <file>', 'sign a transaction of --generate-only; - reads standard input', sign, {
    options: [
      MULTISIG,
      SIGNATURE_ONLY,
      OUTPUT_DOCUMENT,
      { flag: '--overwrite', doc: 'replace signatures that are there' },
    ],
  }),
  send('sign-batch <files...>', 'sign transactions, one a line', signBatch, {
    options: [MULTISIG, SIGNATURE_ONLY, OUTPUT_DOCUMENT],
  }),
];
