import { create } from '@bufbuild/protobuf';
import type { KeyEntry } from '../../core/keys/keyring.js';
import { combineSignatures, memberIndex, type MemberSignature } from '../../core/keys/multisign.js';
import type { ThresholdKey } from '../../core/sdk/signing/account-key.js';
import { isSignatureOf, publicKeyAny, type SigningAccount, type SigningContext } from '../../core/keys/tx-signing.js';
import { AuthInfoSchema, SignerInfoSchema, type Tx, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { keyOf, nodePrefix } from '../values/names.js';
import { coinMetadataOf, contextOf, signingContext } from '../tx/account.js';
import { OUTPUT_DOCUMENT, readText, readTransaction, readTransactions, writeLines } from '../tx/read.js';
import { bytesToSign } from '../tx/sign.js';
import { parseSignatures } from '../tx/signatures.js';
import { transactionJson } from '../values/tx-json.js';

/**
 * `tx multi-sign FILE NAME SIGNATURES...`: adds the signature of a multisig key, combined from its members'
 * signatures.
 */
const multiSign: CommandBody = async (context, [file = '', name = '', ...files], flags) => {
  const tx = await readTransaction(context, file);
  const { entry, key } = await thresholdKey(context, name);
  const signatures = (await signaturesOf(context, files)).flatMap((documents) => documents.flat());
  const given = contextOf(tx, await signingContext(context, entry.bech32, flags));
  const at = await withMetadata(context, signatures, given);
  if (!flags.is('skip-signature-verification'))
    for (const signature of signatures) verify(tx, { address: entry.bech32, key }, signature, at);
  const signed = combined(tx, key, signatures, at);
  writeLines(context, flags, [
    JSON.stringify(
      flags.is('signature-only') ? { signatures: transactionJson(signed)['signatures'] } : transactionJson(signed),
    ),
  ]);
};

/**
 * `tx multisign-batch FILE NAME SIGNATURES...`: like `tx multi-sign`, for each line of FILE with the corresponding
 * line of every signature file.
 */
const multiSignBatch: CommandBody = async (context, [file = '', name = '', ...files], flags) => {
  const transactions = await readTransactions(context, file);
  const { entry, key } = await thresholdKey(context, name);
  const columns = await signaturesOf(context, files);
  const first = await withMetadata(context, columns.flat(2), await signingContext(context, entry.bech32, flags));
  writeLines(
    context,
    flags,
    transactions.map((tx, line) => {
      const sequence = first.sequence + (flags.is('no-auto-increment') ? 0n : BigInt(line));
      const at = contextOf(tx, { ...first, sequence });
      const signatures = columns.flatMap((documents) => documents[line] ?? []);
      for (const signature of signatures) verify(tx, { address: entry.bech32, key }, signature, at);
      return JSON.stringify(transactionJson(combined(tx, key, signatures, at)));
    }),
  );
};

async function thresholdKey(
  context: CommandContext,
  name: string,
): Promise<{ readonly entry: KeyEntry; readonly key: ThresholdKey }> {
  const entry = await keyOf(context, name, await nodePrefix(context));
  if (entry.key.kind !== 'multisig') throw new CommandError(EXIT.usage, `${name} is no threshold of keys`);
  return { entry, key: entry.key };
}

/** The signatures in each signature file. */
async function signaturesOf(
  context: CommandContext,
  files: readonly string[],
): Promise<readonly (readonly (readonly MemberSignature[])[])[]> {
  const all: (readonly (readonly MemberSignature[])[])[] = [];
  for (const file of files) all.push(parseSignatures(await readText(context, file), file));
  return all;
}

async function withMetadata(
  context: CommandContext,
  signatures: readonly MemberSignature[],
  at: SigningContext,
): Promise<SigningContext> {
  if (!signatures.some(({ mode }) => mode === 'textual')) return at;
  return { ...at, coinMetadata: await coinMetadataOf(context) };
}

function verify(
  tx: Tx,
  account: SigningAccount & { readonly key: ThresholdKey },
  { key: member, mode, signature }: MemberSignature,
  at: SigningContext,
): void {
  const index = memberIndex(account.key, member);
  if (index === undefined) throw new CommandError(EXIT.failed, 'a signature is of a key that is no member');
  if (!isSignatureOf(member, bytesToSign(tx, mode, at, account), signature))
    throw new CommandError(EXIT.failed, `couldn't verify signature for address of member ${index}`);
}

function combined(tx: Tx, key: ThresholdKey, signatures: readonly MemberSignature[], at: SigningContext): Tx {
  const { modeInfo, signature } = combineSignatures(key, signatures);
  const info = create(SignerInfoSchema, { publicKey: publicKeyAny(key), modeInfo, sequence: at.sequence });
  return create(TxSchema, {
    ...tx,
    authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos: [info] }),
    signatures: [signature],
  });
}

export const commands: readonly CommandRow[] = [
  send('multi-sign <file> <name> <signatures...>', "put a threshold key's signature together", multiSign, {
    aliases: ['multisign'],
    options: [
      { flag: '--signature-only', doc: 'print the signature alone' },
      OUTPUT_DOCUMENT,
      { flag: '--skip-signature-verification', doc: 'do not check signatures' },
    ],
  }),
  send('multisign-batch <file> <name> <signatures...>', 'the same for transactions, one a line', multiSignBatch, {
    aliases: ['multi-sign-batch'],
    options: [OUTPUT_DOCUMENT, { flag: '--no-auto-increment', doc: 'one sequence for all' }],
  }),
];
