import { decodeBech32, encodeAddress } from '../../core/sdk/codec/address.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { entryOfPublicKey, type KeyEntry, type Keyring, type KeyringResult } from '../../core/keys/keyring.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { publicKeyJson, type ThresholdKey } from '../../core/sdk/signing/account-key.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { keyCommand } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { devAccount, devAccounts } from '../values/dev-accounts.js';
import { findKey } from '../values/names.js';
import { yamlOf } from '../table/output.js';
import { bytesOfDigits, upperHex } from '../../core/bytes/hex.js';

const listKeys: CommandBody = async (context, _, flags) => {
  const entries = flags.is('dev')
    ? devAccounts(context, prefixOf(flags))
    : valueOf((await openKeyring(context, flags)).list());
  if (flags.is('list-names')) context.ports.stdout(entries.map(({ name }) => `${name}\n`).join(''));
  else printKeys(context, entries);
};

/**
 * `keys show NAME... [-a] [-p] [--hex] [--bech acc|val|cons]`: `-a` prints only the address, `-p` only the public
 * key. Several names are shown as their multisig key, which is not stored (cosmos-sdk v0.53 `client/keys/show.go`).
 */
const showKey: CommandBody = async (context, names, flags) => {
  if (flags.is('address') && flags.is('pubkey'))
    throw new CommandError(EXIT.usage, 'cannot use --address and --pubkey at once');
  const keyring = await openKeyring(context, flags);
  const found = names.map((name) => findKey(context, keyring, name, prefixOf(flags)));
  const [first] = found;
  const entry =
    first !== undefined && found.length === 1
      ? first
      : valueOf(entryOfPublicKey(context.ports.keyCrypto, 'multi', thresholdOf(found, flags), prefixOf(flags)));
  const shown = { ...entry, bech32: spelled(entry, prefixOf(flags), flags.text('bech') ?? 'acc') };
  if (flags.is('hex')) context.ports.stdout(`${shown.hex}\n`);
  else if (flags.is('address')) context.ports.stdout(`${shown.bech32}\n`);
  else if (flags.is('pubkey')) context.ports.stdout(`${JSON.stringify(publicKeyJson(shown.key))}\n`);
  else printKey(context, shown);
};

/** `keys delete NAME...`: deletes keys; asks before each unless `-y`. */
const deleteKeys: CommandBody = async (context, names, flags) => {
  const keyring = await openKeyring(context, flags);
  let missing = false;
  for (const name of names) {
    if (!keyring.find(name).ok) {
      missing = true;
      const known = devAccount(context, name, prefixOf(flags));
      context.ports.stderr(
        known === undefined
          ? `key ${name} not found\n`
          : `key ${name} not found: the accounts of dev chains are in no keyring\n`,
      );
    } else if (
      flags.is('yes') ||
      flags.is('force') ||
      (await confirmed(context, `Key reference will be deleted. Continue? [y/N]: `))
    ) {
      valueOf(keyring.remove(name));
      context.ports.stderr('Key deleted forever (uh oh!)\n');
    }
  }
  if (missing) throw new CommandError(EXIT.notFound, 'some keys were not found');
};

const renameKey: CommandBody = async (context, [from = '', to = ''], flags) => {
  const keyring = await openKeyring(context, flags);
  if (
    !flags.is('yes') &&
    !(await confirmed(context, `Key reference will be renamed from ${from} to ${to}. Continue? [y/N]: `))
  )
    return;
  kept(context, keyring.rename(from, to), flags);
  context.ports.stderr(`Key was successfully renamed from ${from} to ${to}\n`);
};

/** `keys migrate`: checks that every key is readable. The keyring has only one format, so nothing is changed. */
const migrateKeys: CommandBody = async (context, _, flags) => {
  const entries = valueOf((await openKeyring(context, flags)).list());
  context.ports.stderr(
    `Keys migration has been successfully executed. ${entries.length} keys are in the current form.\n`,
  );
};

/** `keys parse ADDRESS`: prints an address (bech32 or hex) in hex and under every bech32 prefix. */
const parseKey: CommandBody = ({ ports, output }, [text = ''], flags) => {
  const decoded = decodeBech32(text);
  if (decoded !== undefined)
    return ports.stdout(shown(output, { human: decoded.prefix, bytes: upperHex(decoded.bytes) }));
  const bytes = bytesOfDigits(text.replace(/^0x/i, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new CommandError(EXIT.usage, "couldn't find valid bech32 nor hex data");
  const prefix = prefixOf(flags);
  ports.stdout(shown(output, { formats: PREFIXES.map((suffix) => encodeAddress(`${prefix}${suffix}`, bytes)) }));
};

const PREFIXES = ['', 'pub', 'valoper', 'valoperpub', 'valcons', 'valconspub'] as const;

const listKeyTypes: CommandBody = ({ ports }) => {
  ports.stdout('Supported key types/algos:\n"eth_secp256k1,secp256k1"\n');
};

/** The bech32 prefix of the flags. */
export function prefixOf(flags: Flags): string {
  return flags.text('bech32-prefix') ?? DEV_BECH32_PREFIX;
}

/** Opens the keyring of the flags; asks for its passphrase if it has one. */
export function openKeyring(context: CommandContext, flags: Flags): Promise<Keyring> {
  return context.keyring(prefixOf(flags));
}

/** Unwraps a keyring result. Throws CommandError for a failure. */
export function valueOf<Value>(result: KeyringResult<Value>): Value {
  if (!result.ok)
    throw new CommandError(/^key not found/.test(result.message) ? EXIT.notFound : EXIT.failed, result.message);
  return result.value;
}

/** Unwraps a stored key, and warns if its name hides a well-known dev account. */
export function kept(context: CommandContext, result: KeyringResult<KeyEntry>, flags: Flags): KeyEntry {
  const entry = valueOf(result);
  const other = DEV_NAME.test(entry.name) ? devAccount(context, entry.name, prefixOf(flags)) : undefined;
  if (other !== undefined && other.hex !== entry.hex)
    context.ports.stderr(
      `${other.name} is the name of a well-known account of dev chains, too, whose address is ${other.hex}: call that one by it. With this keyring ${other.name} means ${entry.hex}.\n`,
    );
  return entry;
}
const DEV_NAME = /^dev[0-9]$/;

/** Asks the user a question; true for yes. */
export async function confirmed({ ports }: CommandContext, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ports.readLine(question, false))?.trim() ?? '');
}

/** Prints one key: as a YAML list of one in text format, as an object in JSON. */
export function printKey(context: CommandContext, entry: KeyEntry, mnemonic?: string): void {
  if (context.output === 'json')
    context.ports.stdout(`${JSON.stringify({ ...keyJson(entry), ...(mnemonic !== undefined && { mnemonic }) })}\n`);
  else printKeys(context, [entry]);
}

/** Prints keys as the SDK does, with the 0x address in addition. */
function printKeys({ ports, output }: CommandContext, entries: readonly KeyEntry[]): void {
  const list = entries.map(keyJson);
  ports.stdout(output === 'json' ? `${JSON.stringify(list)}\n` : yamlOf(list));
}

/**
 * Creates the multisig key of these members in their order. Throws for too many members, a duplicate, or a member
 * that is a multisig key.
 */
export function thresholdOf(members: readonly KeyEntry[], flags: Flags): ThresholdKey {
  const threshold = Number(flags.text('multisig-threshold') ?? '1');
  if (members.length === 0 || members.length > FIXED_LIMITS.thresholdKeys)
    throw new CommandError(EXIT.usage, `a threshold has from 1 to ${FIXED_LIMITS.thresholdKeys} keys`);
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > members.length)
    throw new CommandError(EXIT.usage, `threshold k of n multisignature: ${members.length} < ${String(threshold)}`);
  const twice = members.find((one, index) => members.findIndex(({ hex }) => hex === one.hex) < index);
  if (twice !== undefined) throw new CommandError(EXIT.usage, `duplicate multisig keys: ${twice.name}`);
  const keys = members.map(({ name, key }) => {
    if (key.kind === 'multisig') throw new CommandError(EXIT.usage, `${name} is a threshold of keys itself`);
    return key;
  });
  return { kind: 'multisig', threshold, keys };
}

function keyJson({ name, type, bech32, hex, key }: KeyEntry): object {
  return { name, type, address: bech32, hex, pubkey: JSON.stringify(publicKeyJson(key)) };
}

function spelled(entry: KeyEntry, prefix: string, form: string): string {
  return form === 'acc'
    ? entry.bech32
    : encodeAddress(`${prefix}${form === 'val' ? 'valoper' : 'valcons'}`, entry.address);
}

function shown(output: 'text' | 'json', value: unknown): string {
  return output === 'json' ? `${JSON.stringify(value)}\n` : yamlOf(value);
}

const YES: OptionRow = { flag: '-y, --yes', doc: 'do not ask' };

export const commands: readonly CommandRow[] = [
  keyCommand('list', 'all keys', listKeys, {
    options: [
      { flag: '--dev', doc: 'the funded accounts of a dev chain' },
      { flag: '-n, --list-names', doc: 'names only' },
    ],
  }),
  keyCommand('show <names...>', 'a key by name or address, or a threshold of several', showKey, {
    options: [
      { flag: '-a, --address', doc: 'its address only' },
      { flag: '-p, --pubkey', doc: 'its public key only' },
      { flag: '--hex', doc: 'its 0x address only' },
      { flag: '--bech <form>', doc: 'spelling of the address', choices: ['acc', 'val', 'cons'], default: 'acc' },
      { flag: '--multisig-threshold <number>', doc: 'how many of several keys must sign', default: '1' },
    ],
  }),
  keyCommand('delete <names...>', 'delete keys', deleteKeys, {
    options: [YES, { flag: '-f, --force', doc: 'do not ask, too' }],
  }),
  keyCommand('rename <from> <to>', 'rename a key', renameKey, { options: [YES] }),
  keyCommand('migrate', 'bring keys into the current form', migrateKeys),
  keyCommand('parse <address>', 'every spelling of an address', parseKey),
  keyCommand('list-key-types', 'kinds of keys', listKeyTypes),
];
