import { whyMissing } from './missing-flags.js';

/**
 * Flags of other nodes and tools with their equivalents here, shown in the error for an unknown option. Names are
 * without leading dashes, in kebab case; ganache accepts both `block-time` and `blockTime`. Sources: foundry v1.7
 * `crates/anvil/src/cmd.rs`, `crates/anvil/server/src/config.rs` and `crates/cli/src/opts` (cast), v1.5
 * `crates/wallets/src/wallet_raw/mod.rs`; hardhat v3.12
 * `packages/hardhat/src/internal/builtin-plugins/node/index.ts`; ganache v7.9 `packages/ethereum/options/src` and
 * `packages/cli/src`; go-ethereum v1.17 `cmd/utils/flags.go` and `internal/debug/flags.go`.
 */
type Advice = readonly (readonly [names: readonly string[], advice: string])[];

const NO_FORKS =
  'this node forks no other chain; dev --branch <height> runs a copy of its own one from an earlier block';

const OF_NODES: Advice = [
  [
    ['port', 'p', 'server.port', 'http.port'],
    '--json-rpc.address 127.0.0.1:<port> moves the Ethereum JSON-RPC, --port-base <port> all ports',
  ],
  [
    ['host', 'hostname', 'server.host', 'http.addr'],
    '--json-rpc.address <host>:8545 opens the Ethereum JSON-RPC elsewhere, --json-rpc.ws-address its websocket',
  ],
  [['ws.port', 'ws.addr'], '--json-rpc.ws-address <host>:<port>'],
  [['http', 'ws'], 'the Ethereum JSON-RPC and its websocket are open without it'],
  [['http.api', 'ws.api'], '--json-rpc.api <namespaces>'],
  [['http.vhosts'], '--allowed-hosts <names>'],
  [['allow-origin', 'http.corsdomain', 'ws.origins'], '--cors-allowed-origins <origins>'],
  [['f', 'rpc-url'], NO_FORKS],
  [['silent', 'logging.quiet'], '--quiet'],
  [['v'], '--log-level debug logs more, chronicled --version prints the version'],
  [['verbosity', 'logging.verbose'], '--log-level debug'],
  [['json'], '--log-format json'],
  [['config-out'], '--ready-file <file>'],
  [['no-mining', 'no-mine'], '--mining manual'],
  [['mixed-mining'], '--mining mixed'],
  [['block-time', 'dev.period', 'miner.block-time'], '--block-time <seconds>'],
  [['dev'], 'chronicled dev runs a development chain'],
  [['init'], '--genesis <file>'],
  [
    ['state', 'dump-state', 'load-state', 'datadir', 'db', 'database.db-path'],
    '--home <dir> keeps the chain from one run to the next',
  ],
  [['networkid', 'network-id', 'chain.chain-id', 'chain.network-id'], '--evm-chain-id <id>'],
  [['mnemonic-random', 'mnemonic-seed-unsafe', 'seed', 'wallet.seed', 'wallet.mnemonic'], '--mnemonic <words>'],
  [['wallet.total-accounts'], '--accounts <count>'],
  [['default-balance-ether', 'wallet.default-balance'], '--balance <coins>'],
];

/** All flags about forking: `--fork`, `--fork-url`, `--fork.url` and so on. */
const OF_FORKS = /^fork(?:[-.]|$)/;

const OF_CLIENTS: Advice = [
  [
    ['port', 'host', 'rpc-url', 'r', 'fork-url'],
    '--node <address> names the consensus RPC, --eth-node <url> the Ethereum JSON-RPC',
  ],
  [['json', 'j'], '-o json prints JSON, where the command has that option'],
  // for commands without --node
  [['node'], 'this command asks the Ethereum JSON-RPC: --eth-node <url>'],
  [
    ['private-key'],
    'chronicled keys unsafe-import-eth-key <name> <key> puts a key into the keyring, and --from <name> signs with it',
  ],
];

/** Advice for a flag of another tool; undefined for an unknown flag. */
function adviceFor(flag: string, runsNode: boolean): string | undefined {
  if (/^-[.0-9]/.test(flag)) return 'a word that begins with - is read as an option, and amounts have no sign';
  const name = flag.replace(/^--?/, '').replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (runsNode && OF_FORKS.test(name)) return NO_FORKS;
  return (runsNode ? OF_NODES : OF_CLIENTS).find(([names]) => names.includes(name))?.[1];
}

/**
 * Replaces the parser's suggestion by advice if the unknown option is one of another tool. `words`: the command line,
 * beginning with the command.
 */
export function withAdvice(text: string, words: readonly string[], runsNode: boolean): string {
  const flag = /^error: unknown option '([^'=]+)/.exec(text)?.[1];
  const advice = flag === undefined ? undefined : (whyMissing(words, flag) ?? adviceFor(flag, runsNode));
  if (advice === undefined) return text;
  return `${text.split('\n')[0] ?? ''}\n(${advice.startsWith('--') ? 'here: ' : ''}${advice})\n`;
}
