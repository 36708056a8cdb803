import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const upgrade = () => import('../commands/tx-upgrade.js');
const signing = () => import('../commands/tx-sign.js');
const multisign = () => import('../commands/tx-multisign.js');
const tools = () => import('../commands/tx-tools.js');
const bank = () => import('../commands/tx-bank.js');
const gov = () => import('../commands/tx-gov.js');

const DOCUMENT: OptionRow = { flag: '--output-document <file>', doc: 'write to a file in place of standard output' };
const MULTISIG: OptionRow = {
  flag: '--multisig <account>',
  doc: 'threshold account that the key signs for, by name or address; prints the signature alone',
};
const ALONE: OptionRow = { flag: '--signature-only', doc: 'print the signature alone' };
const AUTHORITY: OptionRow = { flag: '--from <key>', doc: 'authority that signs', default: 'dev0' };
const SIGNER: OptionRow = { flag: '--from <key>', doc: 'key that signs', required: true };
const LEGACY: readonly OptionRow[] = [
  { flag: '--proposal <file>', doc: 'JSON file with title, description, type and deposit, in place of the flags' },
  { flag: '--title <text>', doc: 'title' },
  { flag: '--description <text>', doc: 'description' },
  { flag: '--type <type>', doc: 'type: Text' },
  { flag: '--deposit <coins>', doc: 'first deposit' },
  { flag: '--upgrade-height <height>', doc: 'block of a software-upgrade; +N counts from the last one' },
  { flag: '--upgrade-info <text>', doc: 'text of the plan of a software-upgrade' },
];
const METADATA: OptionRow = { flag: '--metadata <text>', doc: 'metadata' };
/** With a title the authority does not sign: it is gov, and the command makes a proposal. */
const PROPOSAL: readonly OptionRow[] = [
  { flag: '--title <text>', doc: 'title of a proposal of governance, which is made in place of a signature' },
  { flag: '--summary <text>', doc: 'summary of the proposal' },
  { flag: '--deposit <coins>', doc: 'first deposit of the proposal' },
  METADATA,
  { flag: '--authority <address>', doc: 'authority of upgrades (default: governance)' },
];
const VALIDATION: readonly OptionRow[] = [
  { flag: '--no-validate', doc: 'take --upgrade-info as it is; it is never checked here' },
  { flag: '--no-checksum-required', doc: 'the same' },
  { flag: '--daemon-name <name>', doc: 'the same' },
];
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
    { path: 'tx gov', doc: 'propose, deposit and vote' },
    { path: 'tx upgrade', doc: 'schedule and cancel upgrades' },
    { path: 'upgrade', doc: 'schedule, cancel and rehearse upgrades' },
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
    ...(
      [
        ['submit-proposal', '<file>', 'propose messages, which a JSON file holds', [], 'submitProposal'],
        [
          'submit-legacy-proposal',
          '[type] [name]',
          'propose a content of v1beta1: a text, software-upgrade <name>, cancel-software-upgrade',
          LEGACY,
          'submitLegacyProposal',
        ],
        ['deposit', '<proposal-id> <deposit>', 'add to the deposit of a proposal', [], 'deposit'],
        ['vote', '<proposal-id> <option>', 'vote yes, no, no_with_veto or abstain', [METADATA], 'vote'],
        [
          'weighted-vote',
          '<proposal-id> <weights>',
          'divide a vote, for example yes=0.6,no=0.4',
          [METADATA],
          'weightedVote',
        ],
        ['cancel-proposal', '<proposal-id>', 'take a proposal back', [], 'cancelProposal'],
      ] as const
    ).map(([name, args, doc, options, body]): CommandRow => ({
      path: `tx gov ${name}`,
      args,
      doc,
      output: 'json',
      sets: SENDS,
      options: [SIGNER, ...options],
      load: async () => (await gov())[body],
    })),
    {
      path: 'tx upgrade software-upgrade',
      args: '<name>',
      doc: 'plan an upgrade',
      aliases: ['schedule'],
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY, HEIGHT, INFO, ...PROPOSAL, ...VALIDATION],
      load: async () => (await upgrade()).scheduleUpgrade,
    },
    {
      path: 'tx upgrade cancel-software-upgrade',
      doc: 'cancel the scheduled upgrade',
      aliases: ['cancel'],
      output: 'json',
      sets: SENDS,
      options: [AUTHORITY, ...PROPOSAL],
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
