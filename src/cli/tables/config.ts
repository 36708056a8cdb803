import type { CommandTable, OptionRow, OptionSet } from '../command-table.js';

const HOME: OptionRow = { flag: '--home <dir>', doc: 'home directory' };
const PREFIX: OptionRow = { flag: '--bech32-prefix <prefix>', doc: 'prefix of addresses, where the file has none' };
const OUTPUT: readonly OptionSet[] = ['output'];
const config = () => import('../commands/config.js');
const genesis = () => import('../commands/genesis.js');
const comet = () => import('../commands/comet.js');
const gentx = () => import('../commands/gentx.js');
const GENTX: readonly OptionRow[] = [
  { flag: '--moniker <name>', doc: "name of the validator; the home's by default" },
  { flag: '--commission-rate <rate>', doc: 'commission (default: 0.1)' },
  { flag: '--commission-max-rate <rate>', doc: 'greatest commission (default: 0.2)' },
  { flag: '--commission-max-change-rate <rate>', doc: 'greatest change of the commission in a day (default: 0.01)' },
  { flag: '--min-self-delegation <tokens>', doc: 'tokens that the operator keeps bonded (default: 1)' },
  { flag: '--details <text>', doc: 'details' },
  { flag: '--identity <text>', doc: 'identity, for example of Keybase' },
  { flag: '--website <url>', doc: 'website' },
  { flag: '--security-contact <text>', doc: 'contact for security' },
  { flag: '--pubkey <json>', doc: "consensus key; the home's by default" },
  { flag: '--node-id <id>', doc: "id of the node; the home's by default" },
  { flag: '--ip <address>', doc: 'address of the node in the note', default: '127.0.0.1' },
  { flag: '--p2p-port <port>', doc: 'its port', default: '26656' },
  { flag: '--output-document <file>', doc: 'file to write (default: config/gentx/gentx-ID.json)' },
  { flag: '--chain-id <id>', doc: "chain id to sign for; the genesis file's by default" },
  { flag: '--gas <amount>', doc: 'gas limit', default: '200000' },
  { flag: '--gas-prices <price>', doc: 'price of gas (default: nothing is paid)' },
  { flag: '--fees <coins>', doc: 'fee, in place of a gas price' },
  { flag: '--memo, --note <text>', doc: 'text in place of the address of the node', default: '' },
  { flag: '--sign-mode <mode>', doc: 'what is signed', choices: ['direct', 'amino-json'], default: 'direct' },
];

/** `config`, `genesis` and `version`: the files of a home. */
export const CONFIG: CommandTable = {
  groups: [
    { path: 'config', doc: 'the configuration of a home' },
    { path: 'genesis', doc: 'the genesis file of a home' },
    { path: 'comet', doc: "the keys of a home's validator and node", aliases: ['cometbft', 'tendermint'] },
  ],
  commands: [
    {
      path: 'comet show-node-id',
      doc: 'the id of the node',
      sets: [],
      options: [HOME],
      load: async () => (await comet()).showNodeId,
    },
    {
      path: 'comet show-validator',
      doc: "the validator's public key",
      sets: [],
      options: [HOME],
      load: async () => (await comet()).showValidator,
    },
    {
      path: 'comet show-address',
      doc: "the validator's consensus address",
      sets: [],
      options: [HOME, PREFIX],
      load: async () => (await comet()).showAddress,
    },
    {
      path: 'comet init',
      doc: 'write the folder of a CometBFT that drives this home (`chronicled abci`)',
      sets: [],
      options: [
        HOME,
        { flag: '--comet-home <dir>', doc: 'folder of CometBFT (default: comet in the home)' },
        { flag: '--proxy-app <address>', doc: 'address of `chronicled abci`' },
        { flag: '--rpc-laddr <address>', doc: 'address of its RPC' },
        { flag: '--p2p-laddr <address>', doc: 'address for its peers' },
        { flag: '--persistent-peers <peers>', doc: 'peers as id@host:port, separated by commas' },
        { flag: '--timeout-commit <duration>', doc: 'pause between blocks, for example 1s' },
        {
          flag: '--state-sync-rpc <urls>',
          doc: 'begin with a snapshot of the peers; RPC of at least two machines, separated by commas',
        },
        { flag: '--trust-height <height>', doc: 'height of a block that is trusted, for --state-sync-rpc' },
        { flag: '--trust-hash <hash>', doc: 'hash of that block' },
      ],
      load: async () => (await import('../commands/comet-init.js')).cometInit,
    },
    {
      path: 'comet version',
      doc: 'versions of the protocols that this program speaks',
      sets: [],
      load: async () => (await comet()).cometVersion,
    },
    {
      path: 'config show',
      doc: 'every option with its value',
      sets: OUTPUT,
      options: [HOME, { flag: '--origin', doc: 'and where it comes from' }],
      load: async () => (await config()).showConfig,
    },
    {
      path: 'config get',
      args: '<key...>',
      doc: 'the value of an option',
      sets: [],
      options: [HOME],
      load: async () => (await config()).getConfig,
    },
    {
      path: 'config set',
      args: '<key> <value...>',
      doc: 'set an option in chronicled.toml of the home',
      sets: [],
      options: [
        HOME,
        { flag: '--stdout', doc: 'print the file, write nothing' },
        { flag: '-s, --skip-validate', doc: 'nothing: a value is always checked' },
        { flag: '-v, --verbose', doc: 'nothing: one line is written' },
      ],
      load: async () => (await config()).setConfig,
    },
    {
      path: 'config home',
      doc: 'the home directory',
      sets: [],
      options: [HOME],
      load: async () => (await config()).showHome,
    },
    {
      path: 'config path',
      doc: 'the files that are read',
      sets: [],
      options: [HOME],
      load: async () => (await config()).showPaths,
    },
    {
      path: 'config view',
      args: '[file]',
      doc: 'a file of the home: chronicled (the default), client, app or config',
      sets: [],
      options: [HOME],
      load: async () => (await config()).viewConfig,
    },
    {
      path: 'config validate',
      doc: 'whether a node would start with it',
      sets: [],
      options: [HOME],
      load: async () => (await config()).validateConfig,
    },
    {
      path: 'genesis validate',
      args: '[file]',
      doc: 'whether a genesis file can found a chain',
      aliases: ['validate-genesis'],
      sets: [],
      options: [
        HOME,
        { flag: '--preset <name>', doc: 'application that runs the chain' },
        { flag: '--evm-chain-id <id>', doc: 'EIP-155 chain id, where the chain id names none' },
      ],
      load: async () => (await genesis()).validateGenesis,
    },
    {
      path: 'genesis add-genesis-account',
      args: '<address> <coins>',
      doc: 'an account with coins',
      aliases: ['add-account'],
      sets: ['keyring'],
      options: [PREFIX, { flag: '--append', doc: 'add coins to an account that is there' }],
      load: async () => (await genesis()).addGenesisAccount,
    },
    {
      path: 'genesis migrate',
      args: '[words...]',
      doc: 'not available yet',
      sets: [],
      load: async () => (await genesis()).migrateGenesis,
    },
    {
      path: 'genesis gentx',
      args: '<key> <amount>',
      doc: 'a signed transaction that makes the key of this home a validator',
      sets: ['keyring'],
      options: GENTX,
      load: async () => (await gentx()).gentx,
    },
    {
      path: 'genesis collect-gentxs',
      doc: 'genesis transactions become the validators of the genesis file',
      sets: [],
      options: [HOME, { flag: '--gentx-dir <dir>', doc: 'folder of the transactions (default: config/gentx)' }],
      load: async () => (await gentx()).collectGentxs,
    },
    {
      path: 'version',
      doc: 'print the version',
      sets: [],
      options: [
        { flag: '--long', doc: 'with the names of the application' },
        { flag: '-o, --output <format>', doc: 'output format of --long', choices: ['text', 'json'], default: 'json' },
      ],
      load: async () => (await import('../commands/version.js')).version,
    },
  ],
};
