import { type KeyEntry, type Keyring, type SigningAlgorithm, entryOfPrivateKey } from '../../core/keys/keyring.js';
import { parsePath, privateKeyAt } from '../../core/keys/hd-path.js';
import { isMnemonic, mnemonicOf } from '../../core/keys/mnemonic.js';
import { parsePublicKeyJson, type SimpleKey, type ThresholdKey } from '../../core/sdk/signing/account-key.js';
import type { CommandBody, CommandRow } from '../command-table.js';
import { command } from '../command-rows.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Flags } from '../flags.js';
import { findKey } from '../names.js';
import { wholeNumber } from '../whole-number.js';
import { agreed, kept, openKeyring, prefixOf, printKey } from './keys.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

const ENTROPY_BYTES = 32;
const MAX_INDEX = 2n ** 31n - 1n;

/**
 * `keys add NAME`: adds a new key, a key from a mnemonic, a bare public key, or a threshold of keys. Prints the
 * mnemonic of a new key once.
 */
const addKey: CommandBody = async (context, [name = ''], flags) => {
  const keyring = await openKeyring(context, flags);
  if (!flags.is('dry-run') && keyring.find(name).ok) await replace(context, keyring, name);
  const pubkey = flags.text('pubkey');
  if (flags.text('multisig') !== undefined)
    return printKey(context, kept(context, keyring.addPublic(name, thresholdOf(context, keyring, flags)), flags));
  if (pubkey !== undefined)
    return printKey(context, kept(context, keyring.addPublic(name, publicKeyOf(pubkey)), flags));
  const recover = flags.is('recover');
  const mnemonic = recover ? await wordsOf(context, flags) : mnemonicOf(context.ports.randomness.bytes(ENTROPY_BYTES));
  if (!isMnemonic(mnemonic)) throw new CommandError(EXIT.usage, 'invalid mnemonic');
  const privateKey = privateKeyAt(
    context.ports.keyCrypto,
    mnemonic,
    flags.text('bip39-passphrase') ?? '',
    pathOf(flags),
  );
  const entry = keep(context, keyring, name, privateKey, flags);
  const isShown = !recover && !flags.is('no-backup');
  printKey(context, entry, isShown ? mnemonic : undefined);
  if (isShown && context.output === 'text') {
    context.ports.stderr(
      `\n**Important** write this mnemonic phrase in a safe place.\nIt is the only way to recover your account.\n\n${mnemonic}\n`,
    );
  }
};

function keep(context: CommandContext, keyring: Keyring, name: string, privateKey: Uint8Array, flags: Flags): KeyEntry {
  const algorithm: SigningAlgorithm = flags.text('key-type') === 'secp256k1' ? 'secp256k1' : 'eth_secp256k1';
  if (flags.is('dry-run'))
    return entryOfPrivateKey(context.ports.keyCrypto, name, privateKey, algorithm, prefixOf(flags));
  return kept(context, keyring.add(name, privateKey, algorithm), flags);
}

/** Refuses to replace a key of the same name without consent. */
async function replace(context: CommandContext, keyring: Keyring, name: string): Promise<void> {
  if (!keyring.list().ok || !(await agreed(context, `override the existing name ${name} [y/N]: `)))
    throw new CommandError(EXIT.other, `key ${name} exists already: key overwrite confirmation for "${name}" aborted`);
  keyring.remove(name);
}

/** The mnemonic after `--recover`, or from standard input. */
async function wordsOf({ ports }: CommandContext, flags: Flags): Promise<string> {
  const words = flags.text('recover') ?? (await ports.readLine('Enter your bip39 mnemonic\n', false));
  return (words ?? '').trim().replace(/\s+/g, ' ');
}

/** The path of `--hd-path`, else the BIP-44 path of coin type, account and index. */
function pathOf(flags: Flags): readonly number[] {
  const given = flags.text('hd-path');
  const number = (name: string, fallback: string): bigint => {
    const value = wholeNumber(flags.text(name) ?? fallback, `--${name}`);
    if (value > MAX_INDEX) throw new CommandError(EXIT.usage, `--${name}: must be from 0 to ${MAX_INDEX}`);
    return value;
  };
  const path = parsePath(
    given ?? `m/44'/${number('coin-type', '60')}'/${number('account', '0')}'/0/${number('index', '0')}`,
  );
  if (path === undefined)
    throw new CommandError(
      EXIT.usage,
      `--hd-path: ${JSON.stringify(given)} is not a path; expected for example m/44'/60'/0'/0/0`,
    );
  return path;
}

function publicKeyOf(text: string): SimpleKey {
  const key = parsePublicKeyJson(parsed(text));
  if (key === undefined || key.kind === 'multisig')
    throw new CommandError(
      EXIT.usage,
      '--pubkey: expected {"@type":"/cosmos.evm.crypto.v1.ethsecp256k1.PubKey","key":"..."}',
    );
  return key;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The keys that `--multisig` names, in order of their addresses unless `--nosort`. */
function thresholdOf(context: CommandContext, keyring: Keyring, flags: Flags): ThresholdKey {
  const names = (flags.text('multisig') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const threshold = Number(flags.text('multisig-threshold') ?? '1');
  if (names.length === 0 || names.length > FIXED_LIMITS.thresholdKeys)
    throw new CommandError(EXIT.usage, `--multisig: from 1 to ${FIXED_LIMITS.thresholdKeys} names are expected`);
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > names.length)
    throw new CommandError(EXIT.usage, `threshold k of n multisignature: ${names.length} < ${String(threshold)}`);
  const members = names.map((one) => findKey(context.ports.keyCrypto, keyring, one, prefixOf(flags)));
  const keys = (
    flags.is('nosort') ? members : members.toSorted((a, b) => (a.hex.toLowerCase() < b.hex.toLowerCase() ? -1 : 1))
  ).map(({ name, key }) => {
    if (key.kind === 'multisig')
      throw new CommandError(EXIT.usage, `--multisig: ${name} is a threshold of keys itself`);
    return key;
  });
  return { kind: 'multisig', threshold, keys };
}

/** `keys mnemonic`: prints a new mnemonic, or the mnemonic of typed entropy. */
const newMnemonic: CommandBody = async (context, _, flags) => {
  const { ports } = context;
  if (!flags.is('unsafe-entropy')) return ports.stdout(`${mnemonicOf(ports.randomness.bytes(ENTROPY_BYTES))}\n`);
  const entropy =
    (await ports.readLine('> WARNING: Generate at least 256-bits of entropy and enter the results here:\n', false)) ??
    '';
  if (entropy.length < 43)
    throw new CommandError(
      EXIT.usage,
      `256-bits is 43 characters in Base-64, and 100 in Base-6. You entered ${entropy.length}, and probably want more`,
    );
  if (!(await agreed(context, `> Input length: ${entropy.length} [y/N]: `))) return;
  const { sha256 } = await import('@noble/hashes/sha2.js');
  ports.stdout(`${mnemonicOf(sha256(new TextEncoder().encode(entropy)))}\n`);
};

export const commands: readonly CommandRow[] = [
  command('keys add <name>', 'create or import a key', ['prefix', 'output', 'keyring'], addKey, {
    options: [
      { flag: '--recover [mnemonic]', doc: 'create it from a mnemonic, as argument or on standard input' },
      {
        flag: '--algo, --key-type <kind>',
        doc: 'kind of key',
        choices: ['eth_secp256k1', 'secp256k1'],
        default: 'eth_secp256k1',
      },
      { flag: '--coin-type <number>', doc: 'coin type of the path', default: '60' },
      { flag: '--account <number>', doc: 'account of the path', default: '0' },
      { flag: '--index <number>', doc: 'index of the path', default: '0' },
      { flag: '--hd-path <path>', doc: 'the whole path' },
      { flag: '--bip39-passphrase <text>', doc: 'passphrase of the mnemonic' },
      { flag: '--pubkey <json>', doc: 'store a public key only' },
      { flag: '--multisig <names>', doc: 'a threshold of keys, by name' },
      { flag: '--multisig-threshold <number>', doc: 'how many of them must sign', default: '1' },
      { flag: '--nosort', doc: 'keep the order of --multisig' },
      { flag: '--no-backup', doc: 'do not print the mnemonic' },
      { flag: '--dry-run', doc: 'store nothing' },
    ],
  }),
  command('keys mnemonic', 'print new words', ['prefix', 'output', 'keyring'], newMnemonic, {
    options: [{ flag: '--unsafe-entropy', doc: 'of typed entropy' }],
  }),
];
