import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const SETS: readonly OptionSet[] = ['output', 'keyring'];
const keys = () => import('../commands/keys.js');
const add = () => import('../commands/keys-add.js');
const transfer = () => import('../commands/keys-transfer.js');

const YES: OptionRow = { flag: '-y, --yes', doc: 'do not ask' };
const KEY_TYPE: OptionRow = {
  flag: '--algo, --key-type <kind>',
  doc: 'kind of key',
  choices: ['eth_secp256k1', 'secp256k1'],
  default: 'eth_secp256k1',
};

/** `keys`: the keyring, under the command names of the SDK. */
export function keysTable(prefix: string): CommandTable {
  const prefixed = (row: CommandRow): CommandRow => ({
    ...row,
    options: [
      ...(row.options ?? []),
      { flag: '--bech32-prefix <prefix>', doc: 'prefix of addresses', default: prefix },
    ],
  });
  return { groups: [{ path: 'keys', doc: 'keys that sign' }], commands: ROWS.map(prefixed) };
}

const ROWS: readonly CommandRow[] = [
  {
    path: 'keys add',
    args: '<name>',
    doc: 'make a key, or keep one',
    sets: SETS,
    options: [
      { flag: '--recover [mnemonic]', doc: 'make it from a mnemonic, of the line or of standard input' },
      KEY_TYPE,
      { flag: '--coin-type <number>', doc: 'coin type of the path', default: '60' },
      { flag: '--account <number>', doc: 'account of the path', default: '0' },
      { flag: '--index <number>', doc: 'index of the path', default: '0' },
      { flag: '--hd-path <path>', doc: 'the whole path' },
      { flag: '--bip39-passphrase <text>', doc: 'passphrase of the mnemonic' },
      { flag: '--pubkey <json>', doc: 'keep a public key alone' },
      { flag: '--multisig <names>', doc: 'a threshold of keys, by name' },
      { flag: '--multisig-threshold <number>', doc: 'how many of them must sign', default: '1' },
      { flag: '--nosort', doc: 'keep the order of --multisig' },
      { flag: '--no-backup', doc: 'do not print the mnemonic' },
      { flag: '--dry-run', doc: 'keep nothing' },
    ],
    load: async () => (await add()).addKey,
  },
  {
    path: 'keys list',
    doc: 'all keys',
    sets: SETS,
    load: async () => (await keys()).listKeys,
    options: [
      { flag: '--dev', doc: 'the funded accounts of a dev chain' },
      { flag: '-n, --list-names', doc: 'names only' },
    ],
  },
  {
    path: 'keys show',
    args: '<name>',
    doc: 'one key, by name or address',
    sets: SETS,
    load: async () => (await keys()).showKey,
    options: [
      { flag: '-a, --address', doc: 'its address only' },
      { flag: '-p, --pubkey', doc: 'its public key only' },
      { flag: '--hex', doc: 'its 0x address only' },
      { flag: '--bech <form>', doc: 'spelling of the address', choices: ['acc', 'val', 'cons'], default: 'acc' },
    ],
  },
  {
    path: 'keys delete',
    args: '<names...>',
    doc: 'delete keys',
    sets: SETS,
    options: [YES],
    load: async () => (await keys()).deleteKeys,
  },
  {
    path: 'keys rename',
    args: '<from> <to>',
    doc: 'rename a key',
    sets: SETS,
    options: [YES],
    load: async () => (await keys()).renameKey,
  },
  {
    path: 'keys export',
    args: '<name>',
    doc: 'print a private key, encrypted',
    sets: SETS,
    load: async () => (await transfer()).exportKey,
    options: [
      { flag: '--unarmored-hex', doc: 'in hexadecimal, not encrypted; needs --unsafe' },
      { flag: '--unsafe', doc: 'say that --unarmored-hex is meant' },
      YES,
    ],
  },
  {
    path: 'keys import',
    args: '<name> <file>',
    doc: 'keep an exported key',
    sets: SETS,
    load: async () => (await transfer()).importKey,
  },
  {
    path: 'keys import-hex',
    args: '<name> <hex>',
    doc: 'keep a private key in hexadecimal',
    sets: SETS,
    options: [KEY_TYPE],
    load: async () => (await transfer()).importHex,
  },
  {
    path: 'keys unsafe-import-eth-key',
    args: '<name> <hex>',
    doc: 'keep an Ethereum private key',
    sets: SETS,
    load: async () => (await transfer()).importHex,
  },
  {
    path: 'keys unsafe-export-eth-key',
    args: '<name>',
    doc: 'print an Ethereum private key',
    sets: SETS,
    load: async () => (await transfer()).exportEthereumKey,
  },
  {
    path: 'keys migrate',
    doc: 'bring keys into the current form',
    sets: SETS,
    load: async () => (await keys()).migrateKeys,
  },
  {
    path: 'keys mnemonic',
    doc: 'print new words',
    sets: SETS,
    options: [{ flag: '--unsafe-entropy', doc: 'of typed entropy' }],
    load: async () => (await add()).newMnemonic,
  },
  {
    path: 'keys parse',
    args: '<address>',
    doc: 'every spelling of an address',
    sets: SETS,
    load: async () => (await keys()).parseKey,
  },
  { path: 'keys list-key-types', doc: 'kinds of keys', sets: SETS, load: async () => (await keys()).listKeyTypes },
];
