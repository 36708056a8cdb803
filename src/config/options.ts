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
  option('--ephemeral', 'boolean', 'Storage', 'keep nothing: the database lies in a temporary folder', {
    default: 'false',
  }),
  option(
    '--branch <height>',
    'integer',
    'Storage',
    'dev runs the chain of the home as it was after this block: a copy in a temporary folder, on 127.0.0.1, on ports of --port-base or of the system',
  ),
  option(
    '--log.sync <mode>',
    'string',
    'Storage',
    'what is forced to the disk: the batch of every block, admissions too (always), or nothing (os)',
    { choices: LOG_SYNCS },
  ),
  option(
    '--pruning <strategy>',
    'string',
    'Storage',
    'earlier states that are kept: all (nothing), 362880 (default), 2 (everything), or by the two options below (custom) (default: default, in dev nothing)',
    { choices: ['default', 'nothing', 'everything', 'custom'] },
  ),
  option(
    '--pruning-keep-recent <blocks>',
    'integer',
    'Storage',
    'earlier states that are kept with --pruning custom, 2 at least',
    { default: '0' },
  ),
  option(
    '--pruning-interval <blocks>',
    'integer',
    'Storage',
    'blocks from one pruning to the next with --pruning custom, 10 at least',
    { default: '0' },
  ),
  option(
    '--min-retain-blocks <blocks>',
    'integer',
    'Storage',
    'newest blocks that are kept, and that an engine outside is asked to keep (0: all)',
    { default: '0' },
  ),
  option(
    '--min-retain-time <seconds>',
    'integer',
    'Storage',
    'seconds before the head within which blocks are kept, whatever their number (0: no such rule)',
    { default: '0' },
  ),
  option(
    '--state-sync.snapshot-interval <blocks>',
    'integer',
    'Storage',
    'blocks from one snapshot of the state to the next, from which another home begins (0: none is taken)',
    { default: '0' },
  ),
  option('--state-sync.snapshot-keep-recent <count>', 'integer', 'Storage', 'snapshots that are kept (0: all)', {
    default: '2',
  }),

  option('--chain-id <id>', 'string', 'Chain', 'network chain id', { default: DEV_CHAIN_ID }),
  option(
    '--evm.evm-chain-id, --evm-chain-id <id>',
    'integer',
    'Chain',
    'EIP-155 chain id (default: the number in the chain id)',
  ),
  option('--bech32-prefix <prefix>', 'string', 'Chain', 'prefix of addresses', { default: DEV_BECH32_PREFIX }),
  option('--denom <denom>', 'string', 'Chain', 'base denom', { default: DEV_BASE_DENOM }),
  option(
    '--minimum-gas-prices, --minimum-gas-price <amount>',
    'string',
    'Chain',
    'smallest gas price admitted, in the base denom, which may follow it',
    { default: '0' },
  ),
  option(
    '--inv-check-period <blocks>',
    'integer',
    'Chain',
    'blocks from one check of the invariants of all modules to the next; a broken one stops the node (0: no checks)',
    { default: '0' },
  ),
  option(
    '--x-crisis-skip-assert-invariants',
    'boolean',
    'Chain',
    'found a chain without a check of the invariants of its genesis',
  ),
  option('--genesis <file>', 'string', 'Chain', 'genesis.json that founds the chain'),
  option('--moniker <name>', 'string', 'Chain', 'name of this node', { default: 'localnode' }),
  option('--preset <name>', 'string', 'Chain', 'application: chronicle, or evmd as the Go node computes', {
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
    'dev runs a second chain, in a folder of the home and on ports 100 higher, with a relayer and an open IBC channel',
    { default: 'false' },
  ),

  option('--mining <mode>', 'string', 'Blocks', 'when blocks are made', {
    choices: ['instant', 'interval', 'manual', 'mixed'],
  }),
  option('-b, --block-time <seconds>', 'seconds', 'Blocks', 'seconds between blocks (default: a heartbeat every 2)'),

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
    'make a block without transactions only after so long (default: as other blocks)',
  ),
  option(
    '--miner.instamine <mode>',
    'string',
    'Blocks',
    'in instant mode a send is answered with its block (eager) or before it (strict)',
    { choices: ['eager', 'strict'], default: 'eager' },
  ),

  option('-a, --accounts <count>', 'integer', 'Accounts', 'funded accounts', { default: '10' }),
  option('--balance <amount>', 'integer', 'Accounts', 'balance of each, in the display denom (18 decimals)', {
    default: '10000',
  }),
  option('-m, --mnemonic <words>', 'string', 'Accounts', 'words that the accounts are derived from', {
    default: DEV_MNEMONIC,
  }),

  option(
    '--port-base <port>',
    'integer',
    'Addresses',
    'move all ports: this is the consensus RPC, the others follow; 0 lets the system choose',
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
    'Ethereum websocket under another port too, for example 8586',
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
    'admit Ethereum transactions without a chain id (dev only), so that those of another chain can be sent again',
    { default: 'false' },
  ),
  option(
    '--rpc.txfeecap, --json-rpc.txfee-cap <coins>',
    'number',
    'Chain',
    'highest fee of a transaction that is sent by Ethereum JSON-RPC, in whole coins; 0 is no bound (default: 1, in dev 0)',
  ),
  option('--grpc.address <address>', 'string', 'Addresses', 'gRPC', { default: '127.0.0.1:9090' }),
  option('--api.address <address>', 'string', 'Addresses', 'REST gateway', { default: 'tcp://127.0.0.1:1317' }),
  option('--api.alias-address <address>', 'string', 'Addresses', 'REST gateway under its other port', {
    default: '127.0.0.1:9091',
  }),
  option('--metrics.address <address>', 'string', 'Addresses', 'metrics and health', { default: '127.0.0.1:26660' }),
  option(
    '--allowed-hosts <names>',
    'string',
    'Addresses',
    'host names by which clients may call, besides localhost, names below it and addresses; separated by commas, * for any',
    { default: '' },
  ),
  option(
    '--cors-allowed-origins <origins>',
    'string',
    'Addresses',
    'origins whose pages may call, separated by commas, * for any; in dev besides pages of this machine, browser extensions and Remix',
  ),
  option(
    '--http-server <library>',
    'string',
    'Addresses',
    'library of the HTTP servers: uws, or node, which is slower and takes HTTP/1.0 and pipelined requests',
    { choices: ['uws', 'node'], default: 'uws' },
  ),
  option(
    '--exit-with-parent [true|false]',
    'boolean',
    'Output',
    'end with the process that started the node (default: with npx, npm, pnpm and yarn)',
  ),
  option('--ready-file <file>', 'string', 'Addresses', 'file written when every address answers'),

  option('--app-version <name>', 'string', 'Upgrades', 'upgrade plan whose application this process runs'),
  option(
    '--unsafe-skip-upgrades <heights>',
    'string',
    'Upgrades',
    'heights of upgrades that are skipped, separated by commas',
    { default: '' },
  ),
  option(
    '--exit-on-halt',
    'boolean',
    'Upgrades',
    'end with exit code 7 when halted for an upgrade; otherwise queries stay up',
    { default: 'false' },
  ),

  option('--log_level, --log-level <level>', 'string', 'Output', 'least severe level that is logged', {
    choices: LOG_LEVELS,
    default: 'info',
  }),
  option('--log_format, --log-format <format>', 'string', 'Output', 'form of log lines', {
    choices: ['plain', 'json'],
    default: 'plain',
  }),
  option('-q, --quiet', 'boolean', 'Output', 'no banner, and no line for each block and transaction', {
    default: 'false',
  }),
  option(
    '--abi <folders>',
    'string',
    'Output',
    'folders of compiled contracts that name contracts and methods, separated by commas (default: ./artifacts and ./out)',
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
