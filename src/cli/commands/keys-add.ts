import { base64 } from '@scure/base';
import {
  entryOfPrivateKey,
  entryOfPublicKey,
  type KeyEntry,
  type Keyring,
  type SigningAlgorithm,
} from '../../core/keys/keyring.js';
import { parsePath, privateKeyAt } from '../../core/keys/hd-path.js';
import { isMnemonic, mnemonicOf } from '../../core/keys/mnemonic.js';
import {
  KEY_TYPES,
  parsePublicKeyJson,
  type SimpleKey,
  type ThresholdKey,
} from '../../core/sdk/signing/account-key.js';
import { jsonOf } from '../../core/text/json-object.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { keyCommand } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { findKey } from '../values/names.js';
import { listOf } from '../tx/send-as.js';
import { readText } from '../tx/read.js';
import { wholeNumber } from '../values/whole-number.js';
import { confirmed, kept, openKeyring, prefixOf, printKey, thresholdOf, valueOf } from './keys.js';

const ENTROPY_BYTES = 32;
const MAX_INDEX = 2n ** 31n - 1n;

/**
 * `keys add NAME`: adds a new key, a key from a mnemonic, a public key, or a multisig key. Prints the mnemonic of a
 * new key once.
 */
const addKey: CommandBody = async (context, [name = ''], flags) => {
  const keyring = await openKeyring(context, flags);
  if (!flags.is('dry-run') && keyring.find(name).ok) await replace(context, keyring, name);
  const publicKey = flags.text('multisig') === undefined ? publicKeyOf(flags) : namedThreshold(context, keyring, flags);
  if (publicKey !== undefined) {
    const entry = flags.is('dry-run')
      ? valueOf(entryOfPublicKey(context.ports.keyCrypto, name, publicKey, prefixOf(flags)))
      : kept(context, keyring.addPublic(name, publicKey), flags);
    return printKey(context, entry);
  }
  const recover = flags.is('recover');
  const typed = await wordsOf(context, flags);
  const mnemonic = typed ?? mnemonicOf(context.ports.randomness.bytes(ENTROPY_BYTES));
  if (!isMnemonic(mnemonic)) throw new CommandError(EXIT.usage, 'invalid mnemonic');
  const privateKey = privateKeyAt(
    context.ports.keyCrypto,
    mnemonic,
    flags.text('bip39-passphrase') ?? (flags.is('interactive') ? await typedPassphrase(context) : ''),
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
  const algorithm = algorithmOf(flags);
  if (flags.is('dry-run'))
    return valueOf(entryOfPrivateKey(context.ports.keyCrypto, name, privateKey, algorithm, prefixOf(flags)));
  return kept(context, keyring.add(name, privateKey, algorithm), flags);
}

function algorithmOf(flags: Flags): SigningAlgorithm {
  return flags.text('key-type') === 'secp256k1' ? 'secp256k1' : 'eth_secp256k1';
}

/** Asks for confirmation before a key of the same name is replaced. */
async function replace(context: CommandContext, keyring: Keyring, name: string): Promise<void> {
  if (!keyring.list().ok || !(await confirmed(context, `override the existing name ${name} [y/N]: `)))
    throw new CommandError(EXIT.failed, `key ${name} exists already: key overwrite confirmation for "${name}" aborted`);
  keyring.remove(name);
}

/**
 * Reads the user's mnemonic: from `--recover`, the file of `--source`, or standard input. Undefined to create a new
 * one, also for an empty line with `--interactive`.
 */
async function wordsOf(context: CommandContext, flags: Flags): Promise<string | undefined> {
  const recover = flags.is('recover');
  const source = flags.text('source');
  if (!recover && !flags.is('interactive')) {
    if (source !== undefined) throw new CommandError(EXIT.usage, '--source goes with --recover or --interactive');
    return undefined;
  }
  const question = recover
    ? 'Enter your bip39 mnemonic\n'
    : 'Enter your bip39 mnemonic, or hit enter to generate one.\n';
  const text =
    source === undefined
      ? (flags.text('recover') ?? (await context.ports.readLine(question, false)) ?? '')
      : await readText(context, source);
  const words = text.trim().replace(/\s+/g, ' ');
  return words === '' && !recover ? undefined : words;
}

/** The passphrase of `--interactive`, typed twice unless it is empty. */
async function typedPassphrase({ ports }: CommandContext): Promise<string> {
  const passphrase =
    (await ports.readLine(
      'Enter your bip39 passphrase. This is combined with the mnemonic to derive the seed. Most users should just hit enter to use the default, ""\n',
      true,
    )) ?? '';
  if (passphrase !== '' && (await ports.readLine('Repeat the passphrase:\n', true)) !== passphrase)
    throw new CommandError(EXIT.usage, "passphrases don't match");
  return passphrase;
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

/** The key of `--pubkey` or `--pubkey-base64`. */
function publicKeyOf(flags: Flags): SimpleKey | undefined {
  const [json, text] = [flags.text('pubkey'), flags.text('pubkey-base64')];
  if (json !== undefined && text !== undefined)
    throw new CommandError(EXIT.usage, 'flags pubkey and pubkey-base64 cannot be used simultaneously');
  if (json === undefined && text === undefined) return undefined;
  const kind = algorithmOf(flags);
  const key = parsePublicKeyJson(
    text === undefined ? jsonOf(json ?? '') : { '@type': KEY_TYPES[kind].typeUrl, key: onceEncoded(text) },
  );
  if (key === undefined || key.kind === 'multisig')
    throw new CommandError(
      EXIT.usage,
      text === undefined
        ? '--pubkey: expected {"@type":"/cosmos.evm.crypto.v1.ethsecp256k1.PubKey","key":"..."}'
        : `--pubkey-base64: expected the 33 bytes of a key of kind ${kind}`,
    );
  return key;
}

/** Returns the base64 of a key. The SDK's command line expects it encoded twice; both forms are accepted. */
function onceEncoded(text: string): string {
  try {
    const inner = new TextDecoder().decode(base64.decode(text));
    return /^[A-Za-z0-9+/]{43,44}=*$/.test(inner) ? inner : text;
  } catch {
    return text;
  }
}

/** The multisig key of the keys that `--multisig` names, sorted by address unless `--nosort`. */
function namedThreshold(context: CommandContext, keyring: Keyring, flags: Flags): ThresholdKey {
  const members = listOf(flags.text('multisig')).map((one) => findKey(context, keyring, one, prefixOf(flags)));
  const sorted = members.toSorted((a, b) => (a.hex.toLowerCase() < b.hex.toLowerCase() ? -1 : 1));
  return thresholdOf(flags.is('nosort') ? members : sorted, flags);
}

/** `keys mnemonic`: prints a new mnemonic, from random or typed entropy. */
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
  if (!(await confirmed(context, `> Input length: ${entropy.length} [y/N]: `))) return;
  const { sha256 } = await import('@noble/hashes/sha2.js');
  ports.stdout(`${mnemonicOf(sha256(new TextEncoder().encode(entropy)))}\n`);
};

export const commands: readonly CommandRow[] = [
  keyCommand('add <name>', 'create or import a key', addKey, {
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
      { flag: '--pubkey-base64 <text>', doc: 'the same, of the bytes of a key of --key-type' },
      { flag: '-i, --interactive', doc: 'ask for mnemonic and passphrase' },
      { flag: '--source <file>', doc: 'file of the mnemonic, for --recover and --interactive' },
      { flag: '--multisig <names>', doc: 'a threshold of keys, by name' },
      { flag: '--multisig-threshold <number>', doc: 'how many of them must sign', default: '1' },
      { flag: '--nosort', doc: 'keep the order of --multisig' },
      { flag: '--no-backup', doc: 'do not print the mnemonic' },
      { flag: '--dry-run', doc: 'store nothing' },
    ],
  }),
  keyCommand('mnemonic', 'print new words', newMnemonic, {
    options: [{ flag: '--unsafe-entropy', doc: 'of typed entropy' }],
  }),
];
