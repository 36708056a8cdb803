/** Flags of other nodes and tools are answered with the equivalent option of this program. */
import { expect, test } from 'vitest';
import { fakeNode, runCli, statusMethod } from './support.js';

test.each([
  [
    'dev --port 8545',
    '(here: --json-rpc.address 127.0.0.1:<port> moves the Ethereum JSON-RPC, --port-base <port> all ports)',
  ],
  ['-p 8545', '(here: --json-rpc.address 127.0.0.1:<port>'],
  ['dev --host=0.0.0.0', '(here: --json-rpc.address <host>:8545'],
  [
    '--fork-url http://x',
    '(this node forks no other chain; dev --branch <height> runs a copy of its own one from an earlier block)',
  ],
  [
    'start --fork-block-number 3',
    '(this node forks no other chain; dev --branch <height> runs a copy of its own one from an earlier block)',
  ],
  [
    'dev --fork.headers x',
    '(this node forks no other chain; dev --branch <height> runs a copy of its own one from an earlier block)',
  ],
  ['dev --silent', '(here: --quiet)'],
  ['dev --blockTime 1', '(here: --block-time <seconds>)'],
  ['--miner.blockTime 1', '(here: --block-time <seconds>)'],
  ['--dev --http', '(chronicled dev runs a development chain)'],
  ['dev --http', '(the Ethereum JSON-RPC and its websocket are open without it)'],
  ['dev mine --port 1', '(here: --node <address> names the consensus RPC, --eth-node <url> the Ethereum JSON-RPC)'],
  ['query block --rpc-url http://x', '(here: --node <address> names the consensus RPC'],
  ['--home x dev --port 8545', '(here: --json-rpc.address 127.0.0.1:<port>'],
  ['--home x dev mine --port 1', '(here: --node <address> names the consensus RPC'],
  ['dev --home x mine --port 1', '(here: --node <address> names the consensus RPC'],
  ['query bank balances dev1 --json', '(-o json prints JSON, where the command has that option)'],
  ['version --json', '(-o json prints JSON'],
  ['dev mine --node x', '(this command asks the Ethereum JSON-RPC: --eth-node <url>)'],
  ['tx bank send dev0 dev1 1chr --private-key 0x1', '(chronicled keys unsafe-import-eth-key <name> <key>'],
  ['tx bank send dev0 dev1 -1chr', '(a word that begins with - is read as an option, and amounts have no sign)'],
])('%s', async (line, advice) => {
  const run = await runCli(line.split(' '));
  expect(run).toMatchObject({ code: 2, stdout: '', ran: [] });
  const [first, second] = run.stderr.split('\n');
  expect(first).toMatch(/^Error: unknown option '/);
  expect(second?.startsWith(advice)).toBe(true);
});

test.each([
  ['dev', 'port p server.port http.port', '--json-rpc.address --port-base'],
  ['dev', 'host hostname server.host http.addr', '--json-rpc.address --json-rpc.ws-address'],
  ['dev', 'ws.port ws.addr', '--json-rpc.ws-address'],
  ['dev', 'http.api ws.api', '--json-rpc.api'],
  ['dev', 'http.vhosts', '--allowed-hosts'],
  ['dev', 'allow-origin http.corsdomain ws.origins', '--cors-allowed-origins'],
  ['dev', 'silent logging.quiet', '--quiet'],
  ['dev', 'v verbosity logging.verbose', '--log-level'],
  ['dev', 'json', '--log-format'],
  ['dev', 'config-out', '--ready-file'],
  ['dev', 'no-mining no-mine mixed-mining', '--mining'],
  ['dev', 'blockTime dev.period miner.blockTime', '--block-time'],
  ['dev', 'init', '--genesis'],
  ['dev', 'state dump-state load-state datadir db database.dbPath', '--home'],
  ['dev', 'networkid networkId network-id chain.chainId chain.networkId', '--evm-chain-id'],
  ['dev', 'mnemonic-random mnemonic-seed-unsafe seed wallet.seed wallet.mnemonic', '--mnemonic'],
  ['dev', 'wallet.totalAccounts', '--accounts'],
  ['dev', 'defaultBalanceEther wallet.defaultBalance', '--balance'],
  ['faucet', 'port host rpc-url r fork-url', '--node'],
  ['dev mine', 'port host rpc-url r fork-url node', '--eth-node'],
])('%s: the foreign flags %s are answered with options of the command', async (command, foreign, ours) => {
  const words = command.split(' ');
  const help = (await runCli([...words, '--help'])).stdout;
  for (const name of foreign.split(' ')) {
    const flag = `${name.length === 1 ? '-' : '--'}${name}`;
    const [, advice] = (await runCli([...words, flag, '1'])).stderr.split('\n');
    for (const option of ours.split(' ')) {
      expect(advice).toContain(option);
      expect(help).toContain(option);
    }
  }
});

test.each(['f', 'rpc-url', 'fork', 'fork-url', 'fork-block-number', 'fork.network', 'fork.blockNumber'])(
  'the flag %s is answered with the note that the node cannot fork a chain',
  async (name) => {
    const { stderr } = await runCli(['dev', `${name.length === 1 ? '-' : '--'}${name}`, 'x']);
    expect(stderr).toContain('this node forks no other chain');
  },
);

test('an unknown flag of no other tool gets the suggestion of the parser', async () => {
  expect((await runCli(['dev', '--port-bas', '1'])).stderr).toContain('(Did you mean --port-base?)');
});

const portOf = (address: string): number => Number(address.split(':').at(-1));

test('--port-base finds the ports of a node; --node and its variable come first', async () => {
  const { address, asked } = await fakeNode(statusMethod);
  const base = String(portOf(address));
  expect((await runCli(['status', '--port-base', base])).code).toBe(0);
  expect((await runCli(['status'], { env: { CHRONICLED_PORT_BASE: base } })).code).toBe(0);
  expect((await runCli(['status', '--port-base', '1', '--node', address])).code).toBe(0);
  expect((await runCli(['status'], { env: { CHRONICLED_PORT_BASE: '1', CHRONICLED_NODE: address } })).code).toBe(0);
  expect((await runCli(['status', '--port-base', base], { env: { CHRONICLED_NODE: 'tcp://127.0.0.1:1' } })).code).toBe(
    0,
  );
  // An empty base, and 0, do not name ports.
  for (const none of ['', '0'])
    expect((await runCli(['status'], { env: { CHRONICLED_PORT_BASE: none, CHRONICLED_NODE: address } })).code).toBe(0);
  const files = new Map([['/home/someone/.chronicled/config/client.toml', 'node = "tcp://127.0.0.1:1"\n']]);
  expect((await runCli(['status', '--port-base', base], { files })).code).toBe(0);
  expect((await runCli(['status'], { files })).code).toBe(8);
  expect(asked.length).toBe(8);
  // The Ethereum JSON-RPC is one port above.
  const ethereum = await runCli(['dev', 'mine', '--port-base', String(portOf(address) - 1)]);
  expect(ethereum.stderr).toContain(`http://127.0.0.1:${base} is a consensus RPC`);
});

test('a port base of 0, or out of range, is refused', async () => {
  expect(await runCli(['status', '--port-base', '0'])).toMatchObject({
    code: 2,
    stderr: 'Error: --port-base: with 0 the system chose the ports, and the banner names them\n',
  });
  for (const base of ['x', '65535', '-1'])
    expect((await runCli(['status', `--port-base=${base}`])).stderr).toContain('is not the port base of a node');
});
