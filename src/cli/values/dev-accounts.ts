import { deriveDevAccounts } from '../../core/keys/accounts.js';
import { DEV_MNEMONIC, NAMED_DEV_ACCOUNTS } from '../../core/keys/dev-mnemonic.js';
import { entryOfAccount, isAddressOf, type KeyEntry } from '../../core/keys/keyring.js';
import type { KeyCrypto } from '../../core/ports/key-crypto.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { CommandContext } from '../context.js';
import { accountOf } from '../tx/account.js';

/** The dev account of a name or address: of the mnemonic that a node has with this home's configuration. */
export function devAccount(context: CommandContext, nameOrAddress: string, prefix: string): KeyEntry | undefined {
  return devAccounts(context, prefix).find((one) => one.name === nameOrAddress || isAddressOf(one, nameOrAddress));
}

/** The dev accounts `dev0` to `dev9` of this home's mnemonic; derived once, for most commands name several. */
export function devAccounts({ ports, mnemonic }: CommandContext, bech32Prefix: string): readonly KeyEntry[] {
  const words = mnemonic();
  const ofCrypto = derived.get(ports.keyCrypto) ?? new Map<string, readonly KeyEntry[]>();
  const name = `${bech32Prefix} ${words}`;
  const known = ofCrypto.get(name);
  if (known !== undefined) return known;
  const options = { mnemonic: words, count: NAMED_DEV_ACCOUNTS, bech32Prefix };
  const accounts = deriveDevAccounts(ports.keyCrypto, options).map(entryOfAccount);
  derived.set(ports.keyCrypto, ofCrypto.set(name, accounts));
  return accounts;
}
const derived = new WeakMap<KeyCrypto, Map<string, readonly KeyEntry[]>>();

/**
 * Refuses a dev name where the chain has neither its account nor that of `dev0`: the node then has the accounts of
 * another mnemonic, which a flag of `dev` alone may say. Asks the node; offline it passes.
 */
export async function requireDevChain(context: CommandContext, account: KeyEntry, prefix: string): Promise<void> {
  if (context.rpc.offline || (await isThere(context, account))) return;
  const [first = account] = devAccounts(context, prefix);
  if (first.name === account.name || !(await isThere(context, first))) throw otherMnemonic(context, account.name);
}

/** False where the node says so; another failure says nothing of the account, and the command meets it again. */
async function isThere(context: CommandContext, { bech32 }: KeyEntry): Promise<boolean> {
  try {
    await accountOf(context, bech32);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return error.exitCode !== EXIT.notFound;
    throw error;
  }
}

/** The refusal of a dev name on a chain whose accounts are those of another mnemonic. */
export function otherMnemonic({ mnemonic }: CommandContext, name: string): CommandError {
  const words = mnemonic() === DEV_MNEMONIC ? 'the well-known test mnemonic' : "this home's mnemonic";
  return new CommandError(
    EXIT.notFound,
    `${name} is an account of ${words}, and the chain of this node has no accounts of it\nSet CHRONICLED_MNEMONIC to the words of the node's --mnemonic, or give the account by its address.`,
  );
}
