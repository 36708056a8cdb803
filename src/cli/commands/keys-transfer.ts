import type { CommandBody, CommandRow } from '../table/command-table.js';
import { keyCommand } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { openArmor, sealArmor } from '../keyring/armor.js';
import { readText } from '../tx/read.js';
import { findKey } from '../values/names.js';
import { confirmed, kept, openKeyring, prefixOf } from './keys.js';
import { fromHex, hex, upperHex } from '../../core/bytes/hex.js';

const MIN_PASSPHRASE = 8;

/**
 * `keys export NAME`: prints the private key, encrypted with a passphrase, or in plain hex with `--unarmored-hex
 * --unsafe`.
 */
const exportKey: CommandBody = async (context, [name = ''], flags) => {
  if (flags.is('unarmored-hex') !== flags.is('unsafe'))
    throw new CommandError(EXIT.usage, 'the flags unsafe and unarmored-hex must be used together');
  const { key, privateKey } = await privateKeyOf(context, name, flags);
  if (flags.is('unsafe')) {
    if (
      !flags.is('yes') &&
      !(await confirmed(
        context,
        'WARNING: The private key will be exported as an unarmored hexadecimal string. USE AT YOUR OWN RISK. Continue? [y/N]: ',
      ))
    )
      return;
    return context.ports.stdout(`${hex(privateKey)}\n`);
  }
  const passphrase = await newPassphrase(context);
  context.ports.stdout(`${sealArmor(privateKey, key.kind, passphrase, context.ports.randomness)}\n`);
};

/** `keys import NAME FILE`: imports a key that `keys export` wrote. */
const importKey: CommandBody = async (context, [name = '', file = ''], flags) => {
  const armor = await readText(context, file);
  const keyring = await openKeyring(context, flags);
  const passphrase = (await context.ports.readLine('Enter passphrase to decrypt your key: ', true)) ?? '';
  const opened = openArmor(armor, passphrase);
  if (!opened.ok) throw new CommandError(EXIT.failed, opened.message);
  kept(context, keyring.add(name, opened.privateKey, opened.kind), flags);
};

/** `keys import-hex NAME HEX` and `keys unsafe-import-eth-key NAME HEX`: import a private key in hex. */
const importHex: CommandBody = async (context, [name = '', text = ''], flags) => {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new CommandError(EXIT.usage, 'a private key is 64 hexadecimal digits');
  const keyring = await openKeyring(context, flags);
  const added = keyring.add(
    name,
    fromHex(digits.toLowerCase()),
    flags.text('key-type') === 'secp256k1' ? 'secp256k1' : 'eth_secp256k1',
  );
  kept(context, added, flags);
};

/** `keys unsafe-export-eth-key NAME`: prints the private key in hex. */
const exportEthereumKey: CommandBody = async (context, [name = ''], flags) => {
  const { key, privateKey } = await privateKeyOf(context, name, flags);
  if (key.kind !== 'eth_secp256k1')
    throw new CommandError(EXIT.failed, `invalid key algorithm, got ${key.kind}, expected eth_secp256k1`);
  context.ports.stdout(`${upperHex(privateKey)}\n`);
};

async function privateKeyOf(context: CommandContext, name: string, flags: Flags) {
  const keyring = await openKeyring(context, flags);
  const { key, privateKey } = findKey(context, keyring, name, prefixOf(flags));
  if (privateKey === undefined) throw new CommandError(EXIT.failed, `${name} has no private key here`);
  return { key, privateKey };
}

async function newPassphrase({ ports }: CommandContext): Promise<string> {
  const passphrase = await ports.readLine('Enter passphrase to encrypt the exported key: ', true);
  if (passphrase === undefined || passphrase.length < MIN_PASSPHRASE)
    throw new CommandError(EXIT.usage, `password must be at least ${MIN_PASSPHRASE} characters`);
  return passphrase;
}

export const commands: readonly CommandRow[] = [
  keyCommand('export <name>', 'print a private key, encrypted', exportKey, {
    options: [
      { flag: '--unarmored-hex', doc: 'in hexadecimal, not encrypted; needs --unsafe' },
      { flag: '--unsafe', doc: 'confirm --unarmored-hex' },
      { flag: '-y, --yes', doc: 'do not ask' },
    ],
  }),
  keyCommand('import <name> <file>', 'import an exported key', importKey),
  keyCommand('import-hex <name> <hex>', 'import a private key in hexadecimal', importHex, {
    options: [
      {
        flag: '--algo, --key-type <kind>',
        doc: 'kind of key',
        choices: ['eth_secp256k1', 'secp256k1'],
        default: 'eth_secp256k1',
      },
    ],
  }),
  keyCommand('unsafe-import-eth-key <name> <hex>', 'import an Ethereum private key', importHex),
  keyCommand('unsafe-export-eth-key <name>', 'print an Ethereum private key', exportEthereumKey),
];
