import { LOG_SYNCS } from '../core/ports/log-sync.js';
import { LOG_LEVELS } from './daemon-options.js';
import type { OptionSpec } from './option-spec.js';
import { DEV_BASE_DENOM, DEV_BECH32_PREFIX, DEV_CHAIN_ID } from '../core/genesis/dev-chain.js';
import { DEV_MNEMONIC } from '../core/keys/dev-mnemonic.js';

/** Every option of the daemon, with its flag, key, default and help text. */
export const OPTIONS: readonly OptionSpec[] = [
  option(
    '--home <dir>',
    'string',
    'Storage',
    'directory of configuration and data (default: ./.chronicle if it exists, else ~/.chronicled)',
  ),
  option('--ephemeral', 'boolean', 'Storage', 'keep nothing: use a temporary folder', { default: 'false' }),
  option(
    '--branch <height>',
    'integer',
    'Storage',
    'dev: run a temporary copy of the chain as of this block, on 127.0.0.1; ports from --port-base, else chosen by the system',
  ),
  option(
    '--log.sync <mode>',
    'string',
    'Storage',
    'when the log is synced to the disk: after every block (block), also after every admission (always), never (os)',
    { choices: LOG_SYNCS },
  ),
  option(
    '--pruning <strategy>',
    'string',
    'Storage',
    'pruning of old states: nothing keeps all, default keeps 362880, everything keeps 2, custom uses the next two options (default: default, in dev nothing)',
    { choices: ['default', 'nothing', 'everything', 'custom'] },
  ),
  option(
    '--pruning-keep-recent <blocks>',
    'integer',
    'Storage',
    'with --pruning custom: number of old states to keep, at least 2',
    { default: '0' },
  ),
  option(
    '--pruning-interval <blocks>',
    'integer',
    'Storage',
    'with --pruning custom: prune every this many blocks, at least 10',
    { default: '0' },
  ),
  option(
    '--min-retain-blocks <blocks>',
    'integer',
    'Storage',
    'number of newest blocks to keep; an external consensus engine is told to keep them, too (0: all)',
    { default: '0' },
  ),
  option(
    '--min-retain-time <seconds>',
    'integer',
    'Storage',
    'keep all blocks younger than this many seconds, counted from the head (0: no such rule)',
    { default: '0' },
  ),
  option(
    '--state-sync.snapshot-interval <blocks>',
    'integer',
    'Storage',
    'take a state-sync snapshot every this many blocks; another home can start from it (0: take none)',
    { default: '0' },
  ),
  option('--state-sync.snapshot-keep-recent <count>', 'integer', 'Storage', 'number of snapshots to keep (0: all)', {
    default: '2',
  }),

  option('--chain-id <id>', 'string', 'Chain', 'chain id of the network', { default: DEV_CHAIN_ID }),
  option(
    '--evm.evm-chain-id, --evm-chain-id <id>',
    'integer',
    'Chain',
    'EIP-155 chain id (default: the number in the chain id)',
  ),
  option('--bech32-prefix <prefix>', 'string', 'Chain', 'bech32 prefix', { default: DEV_BECH32_PREFIX }),
  option('--denom <denom>', 'string', 'Chain', 'base denom of the coin', { default: DEV_BASE_DENOM }),
  option(
    '--minimum-gas-prices, --minimum-gas-price <amount>',
    'string',
    'Chain',
    'lowest gas price that is admitted, in the base denom; the denom may follow the number',
    { default: '0' },
  ),
  option(
    '--inv-check-period <blocks>',
    'integer',
    'Chain',
    'check the invariants of all modules every this many blocks; a broken one stops the node (0: no checks)',
    { default: '0' },
  ),
  option(
    '--x-crisis-skip-assert-invariants',
    'boolean',
    'Chain',
    'do not check the invariants of the genesis when creating a chain',
  ),
  option('--genesis <file>', 'string', 'Chain', 'genesis.json to create the chain from'),
  option('--moniker <name>', 'string', 'Chain', 'name of this node', { default: 'localnode' }),
  option('--preset <name>', 'string', 'Chain', 'application: chronicle, or evmd (same app hashes as the Go node)', {
    choices: ['chronicle', 'evmd'],
    default: 'chronicle',
  }),
  option('--deterministic', 'boolean', 'Chain', 'virtual clock and fixed keys: the same requests give the same bytes', {
    default: 'false',
  }),
  option(
    '--ibc',
    'boolean',
    'Chain',
    'dev: run a second chain, in a folder of the home and on ports 100 higher, with a relayer and an open IBC channel',
    { default: 'false' },
  ),

  option(
    '--mining <mode>',
    'string',
    'Blocks',
    'when to make blocks: for each transaction (instant, mixed), every --block-time (interval), on command (manual) (default: instant; interval with --block-time and in start)',
    {
      choices: ['instant', 'interval', 'manual', 'mixed'],
    },
  ),
  option(
    '-b, --block-time <seconds>',
    'seconds',
    'Blocks',
    'seconds between blocks; in instant mode, between empty blocks (default: 2)',
  ),

  option(
    '--consensus.create_empty_blocks, --consensus.create-empty-blocks [true|false]',
    'boolean',
    'Blocks',
    'make blocks without transactions (default: true)',
    { default: 'true' },
  ),
  option(
    '--consensus.create_empty_blocks_interval, --consensus.create-empty-blocks-interval <seconds>',
    'seconds',
    'Blocks',
    'make an empty block only after this many seconds (default: as other blocks)',
  ),
  option(
    '--miner.instamine <mode>',
    'string',
    'Blocks',
    'in instant mode, answer a sent transaction after its block (eager) or before it (strict)',
    { choices: ['eager', 'strict'], default: 'eager' },
  ),

  option('-a, --accounts <count>', 'integer', 'Accounts', 'number of funded accounts', { default: '10' }),
  option(
    '--balance <amount>',
    'integer',
    'Accounts',
    'balance of each funded account, in the display denom (18 decimals)',
    {
      default: '10000',
    },
  ),
  option('-m, --mnemonic <words>', 'string', 'Accounts', 'BIP-39 mnemonic from which the funded accounts are derived', {
    default: DEV_MNEMONIC,
  }),

  option(
    '--port-base <port>',
    'integer',
    'Addresses',
    'first port: the consensus RPC gets it, the other servers get the next ones; 0 lets the system choose',
  ),
  option('--rpc.laddr <address>', 'string', 'Addresses', 'consensus RPC and websocket', {
    default: 'tcp://127.0.0.1:26657',
  }),
  option('--json-rpc.address <address>', 'string', 'Addresses', 'Ethereum JSON-RPC over HTTP', {
    default: '127.0.0.1:8545',
  }),
  option('--json-rpc.ws-address <address>', 'string', 'Addresses', 'Ethereum websocket', { default: '127.0.0.1:8546' }),
  option(
    '--json-rpc.ws-alias <address>',
    'string',
    'Addresses',
    'second address or port of the Ethereum websocket, for example 8586',
  ),
  option('--json-rpc.enable [true|false]', 'boolean', 'Addresses', 'open the Ethereum ports (default: true)', {
    default: 'true',
  }),
  option(
    '--json-rpc.api, --evm.rpc.api <namespaces>',
    'string',
    'Addresses',
    'namespaces of Ethereum JSON-RPC, separated by commas (default: eth,net,web3,txpool, in dev all)',
  ),
  option(
    '--rpc.allow-unprotected-txs',
    'boolean',
    'Chain',
    'dev only: admit Ethereum transactions without a chain id, so that transactions of another chain can be replayed',
    { default: 'false' },
  ),
  option(
    '--rpc.txfeecap, --json-rpc.txfee-cap <coins>',
    'number',
    'Chain',
    'highest fee of a transaction that is sent by Ethereum JSON-RPC, in whole coins; 0: no limit (default: 1, in dev 0)',
  ),
  option('--grpc.address <address>', 'string', 'Addresses', 'gRPC', { default: '127.0.0.1:9090' }),
  option('--api.address <address>', 'string', 'Addresses', 'REST and gRPC-web', { default: 'tcp://127.0.0.1:1317' }),
  option('--api.alias-address <address>', 'string', 'Addresses', 'second address of REST and gRPC-web', {
    default: '127.0.0.1:9091',
  }),
  option('--metrics.address <address>', 'string', 'Addresses', 'metrics and health', { default: '127.0.0.1:26660' }),
  option(
    '--allowed-hosts <names>',
    'string',
    'Addresses',
    'host names that clients may use, besides IP addresses, localhost and its subdomains; separated by commas, * for any',
    { default: '' },
  ),
  option(
    '--cors-allowed-origins <origins>',
    'string',
    'Addresses',
    'origins of web pages that may call, separated by commas, * for any; in dev, pages of this machine, browser extensions and Remix may call, too',
  ),
  option(
    '--http-server <library>',
    'string',
    'Addresses',
    'HTTP server: uws (fast), or node (slower; also accepts HTTP/1.0 and pipelining)',
    { choices: ['uws', 'node'], default: 'uws' },
  ),
  option(
    '--exit-with-parent [true|false]',
    'boolean',
    'Output',
    'end when the process that started the node ends (default: true under npx, npm, pnpm and yarn)',
  ),
  option('--ready-file <file>', 'string', 'Addresses', 'file that is written when all servers answer'),

  option('--app-version <name>', 'string', 'Upgrades', 'name of the upgrade plan whose application this process runs'),
  option('--unsafe-skip-upgrades <heights>', 'string', 'Upgrades', 'heights of upgrades to skip, separated by commas', {
    default: '',
  }),
  option(
    '--exit-on-halt',
    'boolean',
    'Upgrades',
    'exit with code 7 when halted for an upgrade; without it, queries stay up',
    { default: 'false' },
  ),

  option('--log_level, --log-level <level>', 'string', 'Output', 'lowest level to log', {
    choices: LOG_LEVELS,
    default: 'info',
  }),
  option('--log_format, --log-format <format>', 'string', 'Output', 'format of log lines', {
    choices: ['plain', 'json'],
    default: 'plain',
  }),
  option('-q, --quiet', 'boolean', 'Output', 'print no banner, and no line for each block and transaction', {
    default: 'false',
  }),
  option(
    '--abi <folders>',
    'string',
    'Output',
    'folders of compiled contracts, for names of contracts and methods; separated by commas (default: ./artifacts and ./out)',
    { default: '' },
  ),
];

function option(
  flag: string,
  type: OptionSpec['type'],
  group: OptionSpec['group'],
  doc: string,
  rest: { readonly choices?: readonly string[]; readonly default?: string } = {},
): OptionSpec {
  const key = flag.replace(/^.*--/, '').replace(/ .*$/, '');
  return { flag, key, env: envOf(key), type, group, doc, ...rest };
}

/** `json-rpc.ws-address` is read from CHRONICLED_JSON_RPC_WS_ADDRESS. */
function envOf(key: string): string {
  return `CHRONICLED_${key.toUpperCase().replace(/[.-]/g, '_')}`;
}
