import type { CommandTable, OptionRow, OptionSet } from '../command-table.js';

const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const upgrade = () => import('../commands/tx-upgrade.js');
const signing = () => import('../commands/tx-sign.js');
const multisign = () => import('../commands/tx-multisign.js');
const tools = () => import('../commands/tx-tools.js');
const bank = () => import('../commands/tx-bank.js');

const DOCUMENT: OptionRow = { flag: '--output-document <file>', doc: 'write to a file in place of standard output' };
const MULTISIG: OptionRow = {
  flag: '--multisig <account>',
  doc: 'threshold account that the key signs for, by name or address; prints the signature alone',
};
const ALONE: OptionRow = { flag: '--signature-only', doc: 'print the signature alone' };
const AUTHORITY: OptionRow = { flag: '--from <key>', doc: 'authority that signs', default: 'dev0' };
const HEIGHT: OptionRow = {
  flag: '--upgrade-height, --height <height>',
  doc: 'block of the upgrade; +N counts from the last one',
  required: true,
};
const INFO: OptionRow = {
  flag: '--upgrade-info, --info <text>',
  doc: 'text of the plan, for example where the new binary is',
  default: '',
};

/** `tx` and `upgrade`: making, signing and sending transactions. */
export const TRANSACTIONS: CommandTable = {
  groups: [
    { path: 'tx', doc: 'make, sign and send transactions' },
    { path: 'tx bank', doc: 'transfers' },
    { path: 'tx evm', doc: 'Ethereum transactions' },
    { path: 'tx upgrade', doc: 'schedule and cancel upgrades' },
    { path: 'upgrade', doc: 'schedule and cancel upgrades' },
  ],
  commands: [
    {
      path: 'tx bank send',
      args: '<from> <to> <amount>',
      doc: 'send coins, for example 1000achr',
      output: 'json',
      sets: SENDS,
      load: async () => (await bank()).bankSend,
    },
    {
      path: 'tx bank multi-send',
      args: '<from> <to...>',
      doc: 'send coins to several accounts; the last argument is the amount',
      output: 'json',
      sets: SENDS,
      options: [{ flag: '--split', doc: 'share the amount out' }],
      load: async () => (await bank()).bankMultiSend,
    },
    {
      path: 'tx evm raw',
      args: '<hex>',
      doc: 'send a signed Ethereum transaction',
      output: 'json',
      sets: SENDS,
      load: async () => (await import('../commands/tx-evm.js')).evmRaw,
    },
    {
      path: 'tx evm send',
      args: '<from> <to> <amount>',
      doc: 'send coins between accounts in any spelling',
      output: 'json',
      sets: SENDS,
      load: async () => (await bank()).bankSend,
    },
    {
      path: 'tx upgrade software-upgrade',
      args: '<name>',
      doc: 'plan an upgrade',
      aliases: ['schedule'],
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY, HEIGHT, INFO],
      load: async () => (await upgrade()).scheduleUpgrade,
    },
    {
      path: 'tx upgrade cancel-software-upgrade',
      doc: 'cancel the scheduled upgrade',
      aliases: ['cancel'],
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY],
      load: async () => (await upgrade()).cancelUpgrade,
    },
    {
      path: 'upgrade schedule',
      args: '<name>',
      doc: 'plan an upgrade',
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY, HEIGHT, INFO],
      load: async () => (await upgrade()).scheduleUpgrade,
    },
    {
      path: 'upgrade cancel',
      doc: 'cancel the scheduled upgrade',
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY],
      load: async () => (await upgrade()).cancelUpgrade,
    },
    {
      path: 'tx sign',
      args: '<file>',
      doc: 'sign a transaction of --generate-only; - reads standard input',
      output: 'json',
      sets: SENDS,
      options: [MULTISIG, ALONE, DOCUMENT, { flag: '--overwrite', doc: 'replace signatures that are there' }],
      load: async () => (await signing()).sign,
    },
    {
      path: 'tx sign-batch',
      args: '<files...>',
      doc: 'sign transactions, one a line',
      output: 'json',
      sets: SENDS,
      options: [MULTISIG, ALONE, DOCUMENT],
      load: async () => (await signing()).signBatch,
    },
    {
      path: 'tx multi-sign',
      args: '<file> <name> <signatures...>',
      doc: "put a threshold key's signature together",
      aliases: ['multisign'],
      output: 'json',
      sets: SENDS,
      options: [ALONE, DOCUMENT, { flag: '--skip-signature-verification', doc: 'take the signatures as they are' }],
      load: async () => (await multisign()).multiSign,
    },
    {
      path: 'tx multisign-batch',
      args: '<file> <name> <signatures...>',
      doc: 'the same for transactions, one a line',
      aliases: ['multi-sign-batch'],
      output: 'json',
      sets: SENDS,
      options: [DOCUMENT, { flag: '--no-auto-increment', doc: 'one sequence for all' }],
      load: async () => (await multisign()).multiSignBatch,
    },
    {
      path: 'tx validate-signatures',
      args: '<file>',
      doc: 'who must sign, who has, and whether it is right',
      sets: SENDS,
      load: async () => (await import('../commands/tx-validate.js')).validateSignatures,
    },
    {
      path: 'tx encode',
      args: '<file>',
      doc: 'base64 of a transaction',
      sets: SENDS,
      load: async () => (await tools()).encode,
    },
    {
      path: 'tx decode',
      args: '<text>',
      doc: 'the transaction of base64',
      sets: SENDS,
      options: [{ flag: '-x, --hex', doc: 'of hexadecimal' }],
      load: async () => (await tools()).decode,
    },
    {
      path: 'tx broadcast',
      args: '<file>',
      doc: 'send a signed transaction; - reads standard input',
      output: 'json',
      sets: SENDS,
      load: async () => (await tools()).broadcast,
    },
    {
      path: 'tx simulate',
      args: '<file>',
      doc: 'what running a transaction would answer',
      output: 'text',
      sets: SENDS,
      load: async () => (await tools()).simulate,
    },
  ],
};
