/**
 * Flags that people know from other nodes and tools (anvil 1.5, hardhat 3 `node`, ganache 7, geth 1.17, cast 1.5), with
 * what says the same here. An unknown option is answered with it. Names stand without the dashes before them.
 */
type Advice = readonly (readonly [names: readonly string[], advice: string])[];

const NO_FORKS = 'this node runs a chain of its own; it does not fork another one';

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
  [['http.api', 'ws.api'], '--json-rpc.api <namespaces>'],
  [['http.vhosts'], '--allowed-hosts <names>'],
  [['allow-origin', 'no-cors', 'http.corsdomain'], '--cors-allowed-origins <origins>'],
  [['fork-url', 'f', 'rpc-url', 'fork', 'fork.url', 'fork.network'], NO_FORKS],
  [['fork-block-number', 'fork-chain-id', 'fork-header', 'fork.blockNumber'], NO_FORKS],
  [['silent', 'logging.quiet'], '--quiet'],
  [['no-mining', 'no-mine'], '--mining manual'],
  [['mixed-mining'], '--mining mixed'],
  [['dev.period', 'miner.blockTime'], '--block-time <seconds>'],
  [['init'], '--genesis <file>'],
  [
    ['state', 'dump-state', 'load-state', 'datadir', 'database.dbPath'],
    '--home <dir> keeps the chain from one run to the next',
  ],
  [['networkid', 'network-id', 'chain.chainId', 'chain.networkId'], '--evm-chain-id <id>'],
  [['wallet.mnemonic'], '--mnemonic <words>'],
  [['wallet.totalAccounts'], '--accounts <count>'],
  [['wallet.defaultBalance'], '--balance <coins>'],
];

const OF_CLIENTS: Advice = [
  [
    ['port', 'host', 'rpc-url', 'rpc', 'url', 'r'],
    '--node <address> names the consensus RPC, --eth-node <url> the Ethereum JSON-RPC',
  ],
  // Where the command takes no --node
  [['node'], 'this command asks the Ethereum JSON-RPC: --eth-node <url>'],
  [
    ['private-key'],
    'chronicled keys unsafe-import-eth-key <name> <key> puts a key into the keyring, and --from <name> signs with it',
  ],
];

/** What to write here in place of an unknown option; undefined for one that no other tool has. */
function adviceFor(flag: string, runsNode: boolean): string | undefined {
  if (/^-[.0-9]/.test(flag)) return 'a word that begins with - is read as an option, and amounts have no sign';
  const name = flag.replace(/^--?/, '');
  return (runsNode ? OF_NODES : OF_CLIENTS).find(([names]) => names.includes(name))?.[1];
}

/** An error text of the parser, with advice in place of its guess where the unknown option is one of another tool. */
export function withAdvice(text: string, runsNode: boolean): string {
  const flag = /^error: unknown option '([^'=]+)/.exec(text)?.[1];
  const advice = flag === undefined ? undefined : adviceFor(flag, runsNode);
  if (advice === undefined) return text;
  return `${text.split('\n')[0] ?? ''}\n(${advice.startsWith('--') ? 'here: ' : ''}${advice})\n`;
}
