import { printableJson, printableLine } from '../../core/text/printable.js';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { AccountKey } from '../../core/sdk/signing/account-key.js';
import type { KeyEntry } from '../../core/keys/keyring.js';
import type { SigningContext } from '../../core/keys/tx-signing.js';
import type { Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { yamlOf } from '../table/output.js';
import { accountAddress, addressOf, keyOf, nodePrefix } from '../values/names.js';
import { encodeTransaction, transactionJson } from '../values/tx-json.js';
import { wholeNumber } from '../values/whole-number.js';
import { accountOf, contextOf, signingContext } from './account.js';
import { broadcast } from './broadcast.js';
import { chosenFee, draftOf } from './draft.js';
import { signedBy, signingMode } from './sign.js';
import { accountKeyOf } from './signatures.js';
import { timeoutOf } from './timeout.js';
import { adjusted, simulate, type Unsigned } from './simulate.js';

/** The signer of a transaction: a key, or only an address if nothing is signed (`--generate-only`, `--dry-run`). */
export interface TxSigner {
  readonly address: string;
  readonly entry: KeyEntry | undefined;
}

/** Resolves a key name or address to a signer. */
export async function signerOf(
  context: CommandContext,
  nameOrAddress: string,
  prefix: string,
  flags: Flags,
): Promise<TxSigner> {
  if (!flags.is('generate-only') && !flags.is('dry-run')) return ofEntry(await keyOf(context, nameOrAddress, prefix));
  const keyring = await context.keyring(prefix);
  const address = await addressOf(context, nameOrAddress, prefix);
  const found = keyring.find(address);
  return { address, entry: found.ok ? found.value : undefined };
}

/**
 * Resolves the signer that an argument names. The SDK then ignores `--from` (cosmos-sdk v0.53
 * `x/bank/client/cli/tx.go`); here a `--from` with another account is rejected, because one of the two must be a
 * mistake.
 */
export async function signerOfArgument(
  context: CommandContext,
  nameOrAddress: string,
  prefix: string,
  flags: Flags,
): Promise<TxSigner> {
  const signer = await signerOf(context, nameOrAddress, prefix, flags);
  const from = flags.isTyped('from') ? flags.text('from') : undefined;
  if (from !== undefined && from !== nameOrAddress && (await addressOf(context, from, prefix)) !== signer.address)
    throw new CommandError(
      EXIT.usage,
      `--from ${from} is another account than the sender ${nameOrAddress}, which signs: leave --from out`,
    );
  return signer;
}

function ofEntry(entry: KeyEntry): TxSigner {
  return { address: entry.bech32, entry };
}

/**
 * Builds a transaction and, depending on the flags, prints it unsigned, simulates it, or signs and sends it and
 * prints the answer. Offline it prints the signed transaction.
 */
export async function sendMessages(
  context: CommandContext,
  signer: TxSigner,
  messages: readonly Any[],
  flags: Flags,
): Promise<void> {
  const { ports } = context;
  const auto = flags.text('gas') === 'auto';
  const payer = await payerOf(context, signer, flags);
  const granter = flags.text('fee-granter');
  const terms = {
    fee: await chosenFee(context, flags),
    timeout: await timeoutOf(context, flags),
    payer: payer?.address ?? '',
    granter: granter === undefined ? '' : await accountAddress(context, granter),
  };
  if (flags.is('generate-only') && !auto) return print(context, draftOf(messages, flags, terms, gasOf(flags)));
  if (context.rpc.offline && auto)
    throw new CommandError(EXIT.usage, '--offline: --gas auto asks a node; give a number');
  const unpriced = draftOf(messages, flags, terms, 0n);
  const at = contextOf(unpriced, await signingContext(context, signer.address, flags));
  const signers = [{ signer, at }];
  if (payer !== undefined && payer.address !== signer.address)
    signers.push({ signer: payer, at: contextOf(unpriced, await payingContext(context, payer, at)) });
  const needed =
    auto || flags.is('dry-run')
      ? adjusted(await simulate(context, unpriced, await unsignedBy(context, signers)), flags)
      : gasOf(flags);
  // `auto` is the default of `--gas`: print the estimate only for `--dry-run` or an explicit `--gas auto`.
  if (flags.is('dry-run') || (auto && flags.isTyped('gas'))) ports.stderr(`gas estimate: ${needed}\n`);
  if (flags.is('dry-run')) return;
  const draft = draftOf(messages, flags, terms, needed);
  if (flags.is('generate-only')) return print(context, draft);
  const keys = signers.map(({ signer: { address, entry }, at: own }) => {
    if (entry === undefined) throw new CommandError(EXIT.notFound, `key not found: ${address}`);
    return { entry, at: own };
  });
  if (!flags.is('yes')) await confirm(context, draft);
  const tx = signedBy(draft, signingMode(flags), keys);
  if (context.rpc.offline) return print(context, tx);
  await broadcast(context, encodeTransaction(tx), flags.text('broadcast-mode') ?? 'sync');
}

/** The account of `--fee-payer`, which must also sign. */
async function payerOf(context: CommandContext, signer: TxSigner, flags: Flags): Promise<TxSigner | undefined> {
  const named = flags.text('fee-payer');
  if (named === undefined) return undefined;
  const payer = await signerOf(context, named, await nodePrefix(context), flags);
  if (context.rpc.offline && !flags.is('generate-only') && payer.address !== signer.address)
    throw new CommandError(EXIT.usage, '--offline: the fee payer signs, too: use --generate-only and tx sign');
  return payer;
}

/** Account number and sequence of a fee payer, from the node, because the flags give those of the signer. */
async function payingContext(
  context: CommandContext,
  { address }: TxSigner,
  at: SigningContext,
): Promise<SigningContext> {
  const { accountNumber, sequence } = await accountOf(context, address);
  return { ...at, accountNumber, sequence };
}

type Signers = readonly { readonly signer: TxSigner; readonly at: SigningContext }[];

async function unsignedBy(context: CommandContext, signers: Signers): Promise<Unsigned[]> {
  const all: Unsigned[] = [];
  for (const { signer, at } of signers) all.push({ key: await keyOfSigner(context, signer), sequence: at.sequence });
  return all;
}

/**
 * The public key of a signer: from the keyring, else from its account on the chain, which has it after the first
 * signature.
 */
async function keyOfSigner(context: CommandContext, { address, entry }: TxSigner): Promise<AccountKey | undefined> {
  if (entry !== undefined) return entry.key;
  const { pubKey } = await accountOf(context, address);
  return pubKey && accountKeyOf(pubKey);
}

function gasOf(flags: Flags): bigint {
  return wholeNumber(flags.text('gas') ?? '', '--gas');
}

function print({ ports }: CommandContext, tx: Tx): void {
  ports.stdout(`${printableJson(transactionJson(tx))}\n`);
}

/**
 * Asks for consent on standard error, below the messages, the memo, the gas and the fee: the SDK prints the transaction
 * there, too (cosmos-sdk v0.53 `client/tx/tx.go` BroadcastTx). Reads the answer from input that is no terminal, too, as
 * the SDK does (`client/input/input.go` GetConfirmation); the end of the input is an error.
 */
export async function confirm({ ports }: CommandContext, tx: Tx): Promise<void> {
  const coins = (tx.authInfo?.fee?.amount ?? []).map(({ amount, denom }) => `${amount}${denom}`).join(',');
  const fee = `gas ${tx.authInfo?.fee?.gasLimit ?? 0n}, fee ${coins === '' ? 'none' : coins}`;
  const memo = tx.body?.memo ? `memo: ${printableLine(tx.body.memo)}\n` : '';
  const question = `${messagesOf(tx)}${memo}${fee}\nconfirm transaction before signing and broadcasting [y/N]: `;
  if (!(await (ports.confirm?.(question) ?? isTyped(ports, question))))
    throw new CommandError(EXIT.failed, 'canceled transaction');
}

/** The messages as YAML. */
function messagesOf(tx: Tx): string {
  const { body } = transactionJson(tx);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return yamlOf(isObject ? body['messages'] : []);
}

async function isTyped({ readLine, stderr }: CommandContext['ports'], question: string): Promise<boolean> {
  const line = await readLine(question, false);
  if (line === undefined) {
    // End the line of the unanswered question.
    stderr('\n');
    throw new CommandError(EXIT.usage, 'nobody to ask for confirmation here: add --yes');
  }
  return /^y(es)?$/i.test(line.trim());
}
