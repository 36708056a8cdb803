import { describe, expect, test } from 'vitest';
import { GenesisNeeded } from '../../src/core/app/chain-of-genesis.js';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import { ValidatorsRefused } from '../../src/core/chain/chain-state.js';
import { toHeight } from '../../src/core/primitives.js';
import { ExecutorLost } from '../../src/runtime/executor/executor.js';
import { PoisonedError } from '../../src/store/errors.js';
import { failureOf, failureOfRun } from '../../src/node/failure-of.js';
import {
  announcement,
  bannerLines,
  FAILURE_EXIT_CODES,
  failureLines,
  fittedLines,
  OPTIONS,
  readyFile,
} from '../../src/config/index.js';
import { FACES } from '../../src/config/daemon-options.js';
import { secondChain } from '../../src/config/second-chain.js';
import { runCli, type RunOptions } from '../cli/support.js';
import { devAccounts } from '../support/accounts.js';

async function resolved(argv: readonly string[], options: RunOptions = {}) {
  const run = await runCli(argv, options);
  expect(run.stderr).toBe('');
  const [first] = run.ran;
  if (first === undefined) throw new Error(`nothing ran: ${run.stderr}`);
  return first;
}

async function refused(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const run = await runCli(argv, options);
  expect(run.code).toBe(3);
  expect(run.ran).toEqual([]);
  return run.stderr;
}

describe('daemon commands', () => {
  test('record which facts of the chain were given, with their origins, and none for defaults', async () => {
    const { options } = await resolved(['--chain-id', '007', '--evm-chain-id', '007'], {
      env: { CHRONICLED_PRESET: 'evmd' },
    });
    expect(options.named).toEqual([
      { fact: 'chainId', value: '007', origin: '--chain-id' },
      { fact: 'evmChainId', value: '7', origin: '--evm-chain-id' },
      { fact: 'preset', value: 'evmd', origin: 'CHRONICLED_PRESET' },
    ]);
    expect((await resolved([])).options.named).toEqual([]);
  });

  test('run dev when flags come without a command', async () => {
    const { command, options } = await resolved(['--home', '/d', '--port-base', '0', '--ready-file', '/d/ready.json']);
    expect(command).toBe('dev');
    expect(options).toMatchObject({
      mode: 'dev',
      home: '/d',
      readyFile: '/d/ready.json',
      chainId: 'chronicle_271828-1',
      mining: { kind: 'instant', heartbeatMs: 2000 },
      logSync: 'block',
    });
    expect(Object.values(options.listen).map(({ port }) => port)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(options.accounts).toEqual({ mnemonic: DEV_MNEMONIC, count: 10, balance: 10_000n * 10n ** 18n });
    expect((await resolved([])).command).toBe('dev');
  });

  test('return the exit code of the daemon', async () => {
    expect((await runCli(['start'], { daemonExit: 7 })).code).toBe(7);
  });

  test('move every port to --port-base unless its own flag is given', async () => {
    const { options } = await resolved(['dev', '--port-base', '20000', '--grpc.address', '0.0.0.0:5']);
    expect(options.listen).toEqual({
      comet: { host: '127.0.0.1', port: 20000 },
      eth_http: { host: '127.0.0.1', port: 20001 },
      eth_ws: { host: '127.0.0.1', port: 20002 },
      grpc: { host: '0.0.0.0', port: 5 },
      rest: { host: '127.0.0.1', port: 20004 },
      rest_alias: { host: '127.0.0.1', port: 20005 },
      metrics: { host: '127.0.0.1', port: 20006 },
    });
    expect(await refused(['dev', '--port-base', '65530'])).toContain('--port-base');
  });

  test('ignore the configured addresses for dev --branch, which uses free ports', async () => {
    const words = ['dev', '--branch', '12', '--json-rpc.address', '0.0.0.0:5', '--json-rpc.ws-alias', '6', '--ibc'];
    const { options } = await resolved(words);
    expect(options).toMatchObject({ branch: 12n, ephemeral: true, ibc: false });
    expect(options.jsonRpc.webSocketAlias).toBeUndefined();
    expect(Object.values(options.listen)).toEqual(Array(7).fill({ host: '127.0.0.1', port: 0 }));
    const { options: placed } = await resolved([...words, '--port-base', '7000']);
    expect(placed.listen.metrics).toEqual({ host: '127.0.0.1', port: 7006 });
    expect((await resolved(['dev'])).options.branch).toBeUndefined();
    expect(await refused(['start', '--branch', '12'])).toContain('only chronicled dev runs a branch');
    expect(await refused(['dev', '--branch', '12', '--deterministic'])).toContain('--deterministic');
  });

  test('resolve the mining mode from --mining, --block-time and the empty-block options', async () => {
    expect((await resolved(['dev', '--block-time', '0.5'])).options.mining).toEqual({
      kind: 'interval',
      intervalMs: 500,
    });
    expect((await resolved(['dev', '--mining', 'mixed', '--block-time', '1'])).options.mining).toEqual({
      kind: 'instant',
      heartbeatMs: 1000,
    });
    expect((await resolved(['dev', '--mining', 'manual'])).options.mining).toEqual({ kind: 'manual' });
    expect((await resolved(['dev', '--consensus.create_empty_blocks=false'])).options.mining).toEqual({
      kind: 'instant',
      heartbeatMs: undefined,
    });
    expect((await resolved(['start', '--consensus.create-empty-blocks=false'])).options.mining).toEqual({
      kind: 'interval',
      intervalMs: 2_000,
      empty: { afterMs: undefined },
    });
    expect((await resolved(['start', '--consensus.create_empty_blocks_interval', '30'])).options.mining).toEqual({
      kind: 'interval',
      intervalMs: 2_000,
      empty: { afterMs: 30_000 },
    });
    expect((await resolved(['dev', '--deterministic'])).options.mining).toEqual({
      kind: 'instant',
      heartbeatMs: undefined,
    });
  });

  test('allow origins of this machine and listed ones in dev, only listed ones in start', async () => {
    const { corsAllowedOrigins: own } = (await resolved(['dev'])).options;
    expect(own).toEqual(expect.arrayContaining(['http://localhost:*', 'http://*.localhost:*']));
    expect(own).not.toContain('*');
    expect((await resolved(['dev', '--cors-allowed-origins', 'https://a.example'])).options.corsAllowedOrigins).toEqual(
      [...own, 'https://a.example'],
    );
    expect((await resolved(['start'])).options).toMatchObject({ corsAllowedOrigins: [], allowedHosts: [] });
    expect(
      (
        await resolved([
          'start',
          '--cors-allowed-origins',
          'https://a.example, http://*.b.example:3000',
          '--allowed-hosts',
          'node.example',
        ])
      ).options,
    ).toMatchObject({
      corsAllowedOrigins: ['https://a.example', 'http://*.b.example:3000'],
      allowedHosts: ['node.example'],
    });
    expect(await refused(['start', '--cors-allowed-origins', 'a.example'])).toContain('"a.example" is not an origin');
  });

  test('use the native HTTP server, or that of Node.js with --http-server node', async () => {
    const chosen = async (...args: readonly string[]) => (await resolved(['start', ...args])).options.httpServer;
    expect([await chosen(), await chosen('--http-server', 'node')]).toEqual(['uws', 'node']);
    const { code, stderr } = await runCli(['start', '--http-server', 'apache']);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are uws, node');
  });

  test('resolve whether the Ethereum JSON-RPC is enabled, and its namespaces and fee cap', async () => {
    expect((await resolved(['start'])).options.jsonRpc).toEqual({
      enabled: true,
      namespaces: undefined,
      allowUnprotectedTxs: false,
      txFeeCap: 10n ** 18n,
      webSocketAlias: undefined,
    });
    const named = await resolved([
      'start',
      '--json-rpc.enable',
      '--evm.rpc.api',
      'eth,web3,net,txpool,debug',
      '--json-rpc.ws-alias',
      '8586',
      '--rpc.laddr',
      'tcp://127.0.0.1:3',
    ]);
    expect(named.options.jsonRpc).toEqual({
      enabled: true,
      allowUnprotectedTxs: false,
      txFeeCap: 10n ** 18n,
      namespaces: ['eth', 'web3', 'net', 'txpool', 'debug'],
      webSocketAlias: { host: '127.0.0.1', port: 8586 },
    });
    expect(named.options.listen.comet.port).toBe(3);
    expect((await resolved(['start', '--json-rpc.enable=false'])).options.jsonRpc.enabled).toBe(false);
    const capOf = async (...args: readonly string[]) => (await resolved(args)).options.jsonRpc.txFeeCap;
    expect([await capOf('dev'), await capOf('dev', '--rpc.txfeecap', '0.25')]).toEqual([0n, 10n ** 18n / 4n]);
    expect(await capOf('start', '--json-rpc.txfee-cap', '0')).toBe(0n);
    expect(await refused(['start', '--json-rpc.txfee-cap', '-1'])).toContain('is not a number');
    expect(
      (await resolved(['start', '--json-rpc.api', 'eth,trace,ots,erigon'])).options.jsonRpc.namespaces,
    ).toHaveLength(4);
    expect(await refused(['start', '--json-rpc.api', 'eth,ehm'])).toContain('"ehm" is none of eth, net,');
  });

  test('give the second chain of --ibc its own home, chain id and ports', async () => {
    const { options } = await resolved(['dev', '--ibc', '--home', 'here', '--port-base', '4000']);
    expect(options.ibc).toBe(true);
    const second = secondChain(options, options.chainId);
    expect(second).toMatchObject({
      home: 'here/ibc',
      chainId: 'chronicletwo_271829-1',
      ibc: false,
      readyFile: undefined,
    });
    expect(FACES.map((face) => second.listen[face].port - options.listen[face].port)).toEqual(FACES.map(() => 100));
    expect(secondChain({ ...options, evmChainId: 7n }, 'zone-4')).toMatchObject({
      chainId: 'twozone-4',
      evmChainId: 8n,
    });
    expect((await resolved(['start', '--ibc'])).options.ibc).toBe(false);
  });

  test.each([
    [['--deterministic'], '--ibc: two chains do not share the virtual clock of --deterministic'],
    [['--rpc.laddr', 'tcp://127.0.0.1:65436'], '--ibc: port 65436 leaves no room for one 100 higher'],
  ])('refuse --ibc together with %j', async (flags, message) => {
    expect(await refused(['dev', '--ibc', ...flags])).toContain(message);
  });

  test('do not sync the log of an ephemeral chain by default', async () => {
    expect((await resolved(['dev', '--ephemeral'])).options.logSync).toBe('os');
    expect((await resolved(['dev', '--ephemeral', '--log.sync', 'always'])).options.logSync).toBe('always');
  });

  test('parse the arguments of init, log show and reset', async () => {
    expect(await resolved(['init', 'alice', '--overwrite'])).toMatchObject({
      options: { moniker: 'alice' },
      args: { overwrite: true },
    });
    expect((await resolved(['log', 'show', '--from', '5', '--limit', '2'])).args).toMatchObject({ from: 5n, limit: 2 });
    expect((await resolved(['reset', '-y'])).args).toEqual({ yes: true, keepSnapshots: false });
    expect((await resolved(['comet', 'reset-state'])).args).toEqual({ yes: true, keepSnapshots: true });
    expect((await resolved(['comet', 'unsafe-reset-all'])).args).toEqual({ yes: true, keepSnapshots: false });
  });
});

describe('a value comes from', () => {
  const files = new Map([
    ['chronicled.toml', 'moniker = "project"\n[log]\nsync = "os"'],
    ['/h/config/chronicled.toml', 'moniker = "home"\nchain-id = "home_1-1"\n[json-rpc]\naddress = "127.0.0.1:7"'],
  ]);
  const env = { CHRONICLED_MONIKER: 'env', CHRONICLED_JSON_RPC_WS_ADDRESS: '127.0.0.1:9' };

  test('the flag, else the environment, else the project, else the home, else the default', async () => {
    expect((await resolved(['dev', '--home', '/h', '--moniker', 'flag'], { files, env })).options.moniker).toBe('flag');
    const { options } = await resolved(['dev', '--home', '/h'], { files, env });
    expect(options).toMatchObject({ moniker: 'env', chainId: 'home_1-1', logSync: 'os', preset: 'chronicle' });
    expect(options.listen.eth_ws.port).toBe(9);
    expect(options.listen.eth_http.port).toBe(7);
    expect((await resolved(['dev', '--home', '/h'], { files })).options.moniker).toBe('project');
  });

  test('app.toml and config.toml for start, not for dev', async () => {
    const daemon = new Map([
      [
        '/h/config/config.toml',
        'moniker = "val"\n[rpc]\nladdr = "tcp://127.0.0.1:3"\n[consensus]\ntimeout_commit = "1.5s"\ntimeout_propose = "500ms"',
      ],
      [
        '/h/config/app.toml',
        'minimum-gas-prices = "5atest"\n[evm]\nevm-chain-id = 9001\n[json-rpc]\nenable = true\napi = "eth,net,web3,personal"',
      ],
    ]);
    const { options } = await resolved(['start', '--home', '/h'], { files: daemon });
    expect(options).toMatchObject({
      mode: 'start',
      moniker: 'val',
      minGasPrice: 5n,
      evmChainId: 9001n,
      timeouts: { commit: 1500, propose: 500 },
    });
    expect(options.listen.comet.port).toBe(3);
    expect(options.jsonRpc).toMatchObject({ enabled: true, namespaces: ['eth', 'net', 'web3', 'personal'] });
    expect((await resolved(['dev', '--home', '/h'], { files: daemon })).options).toMatchObject({
      moniker: 'localnode',
      timeouts: {},
    });
  });

  test('config.toml for the block interval, like that of a sole validator of the Go node', async () => {
    const pace = async (lines: string, ...flags: readonly string[]) =>
      (
        await resolved(['start', '--home', '/h', ...flags], {
          files: new Map([['/h/config/config.toml', `[consensus]\n${lines}\n`]]),
        })
      ).options.mining;
    expect(await pace('')).toEqual({ kind: 'interval', intervalMs: 2000 });
    expect(await pace('timeout_commit = "1m1.5s"')).toEqual({ kind: 'interval', intervalMs: 61_500 });
    expect(await pace('timeout_commit = "0s"')).toEqual({ kind: 'interval', intervalMs: 1 });
    expect(await pace('create_empty_blocks = false')).toMatchObject({ empty: { afterMs: undefined } });
    expect(await pace('create_empty_blocks_interval = "1m"')).toMatchObject({ empty: { afterMs: 60_000 } });
    expect(await pace('create_empty_blocks_interval = "0s"')).toEqual({ kind: 'interval', intervalMs: 2000 });
    expect(await pace('timeout_commit = "soon"')).toEqual({ kind: 'interval', intervalMs: 2000 });
    expect(await pace('timeout_commit = "5s"', '--block-time', '3')).toEqual({ kind: 'interval', intervalMs: 3000 });
    expect(await pace('timeout_commit = "5s"', '--mining', 'manual')).toEqual({ kind: 'manual' });
  });

  test('config.toml and app.toml for log levels and addresses, in the forms of the Go node', async () => {
    const of = async (config: string, app = '', ...flags: readonly string[]) => {
      const files = new Map([
        ['/h/config/config.toml', config],
        ['/h/config/app.toml', app],
      ]);
      return (await resolved(['start', '--home', '/h', ...flags], { files })).options;
    };
    expect(await of('log_level = "debug"\nlog_format = "json"')).toMatchObject({
      logLevel: 'debug',
      logFormat: 'json',
    });
    expect((await of('log_level = "state:info,*:error"')).logLevel).toBe('error');
    expect((await of('log_level = "disabled"')).logLevel).toBe('silent');
    expect((await of('log_level = "loud"')).logLevel).toBe('info');

    const metrics = 'prometheus_listen_addr = ":9"';
    expect((await of(`[instrumentation]\nprometheus = true\n${metrics}`)).listen.metrics).toEqual({
      host: '0.0.0.0',
      port: 9,
    });
    expect((await of(`[instrumentation]\nprometheus = false\n${metrics}`)).listen.metrics.port).toBe(26660);

    const app = '[api]\naddress = "tcp://localhost:7"\n[grpc]\naddress = "localhost:8"\n';
    expect((await of('', app)).listen).toMatchObject({
      rest: { host: '127.0.0.1', port: 7 },
      grpc: { host: '127.0.0.1', port: 8 },
    });
    expect((await of('', app, '--port-base', '100', '--grpc.address', ':9')).listen).toMatchObject({
      rest: { host: '127.0.0.1', port: 104 },
      grpc: { host: '0.0.0.0', port: 9 },
    });
  });

  test('app.toml for state sync in abci and start, below flags', async () => {
    const files = new Map([
      [
        '/h/config/app.toml',
        'min-retain-blocks = 50\n[state-sync]\nsnapshot-interval = 1000\nsnapshot-keep-recent = 3\n',
      ],
    ]);
    for (const name of ['abci', 'start']) {
      const of = async (...flags: readonly string[]) => {
        const { engine, retained, snapshots } = (await resolved([name, '--home', '/h', ...flags], { files })).options;
        expect(engine?.retainBlocks).toBe(name === 'abci' ? retained.blocks : undefined);
        return { ...snapshots, blocks: retained.blocks };
      };
      const ofFile = { blocks: 50n, interval: 1000n, keepRecent: 3 };
      expect(await of()).toEqual(ofFile);
      expect(await of('--state-sync.snapshot-interval', '7')).toEqual({ ...ofFile, interval: 7n });
      expect(await of('--min-retain-blocks', '0', '--state-sync.snapshot-keep-recent', '0')).toEqual({
        ...ofFile,
        blocks: undefined,
        keepRecent: 0,
      });
      const { options } = await resolved([name, '--home', '/elsewhere'], { files });
      expect(options.snapshots).toEqual({ interval: 0n, keepRecent: 2 });
      expect(options.engine?.retainBlocks).toBeUndefined();
    }
    const wrong = new Map([['/h/config/app.toml', '[state-sync]\nsnapshot-interval = "often"\n']]);
    expect(await refused(['abci', '--home', '/h'], { files: wrong })).toContain(
      'config/app.toml: state-sync.snapshot-interval',
    );
  });

  test("the home ./.chronicle if it exists, else the user's home", async () => {
    expect((await resolved(['dev'])).options.home).toBe('/home/someone/.chronicled');
    expect((await resolved(['dev'], { files: new Map([['.chronicle/', '']]) })).options.home).toBe('.chronicle');
  });
});

describe('an invalid configuration ends with 3 and names', () => {
  test('the unknown key and the nearest one', async () => {
    expect(await refused(['dev'], { files: new Map([['chronicled.toml', 'monicker = "x"']]) })).toBe(
      'Error: E_CONFIG: chronicled.toml: unknown key monicker; did you mean moniker?\n',
    );
  });

  test('the file and line of a syntax error', async () => {
    expect(await refused(['dev'], { files: new Map([['chronicled.toml', 'a = 1\nb = = 2']]) })).toMatch(
      /^Error: E_CONFIG: chronicled\.toml:2:/,
    );
  });

  test('the source and the allowed values', async () => {
    expect(await refused(['dev'], { env: { CHRONICLED_MINING: 'fast' } })).toContain(
      'CHRONICLED_MINING: "fast" is none of instant, interval, manual, mixed',
    );
    expect(await refused(['dev', '--rpc.laddr', 'nowhere'])).toContain(
      '--rpc.laddr: "nowhere" is not an address; expected host:port',
    );
    expect(await refused(['dev', '--accounts', '0'])).toContain('--accounts');
    for (const time of ['x', '-1', '0', '0.0001', '2147484', '1e3'])
      expect(await refused(['dev', `--block-time=${time}`])).toContain(
        `--block-time: "${time}" is not a time between blocks; expected seconds above 0 and below 24 days, such as 2 or 0.5`,
      );
    expect(await refused(['dev', '--json-rpc.txfee-cap', 'x'])).toContain('"x" is not a number from 0 on');
    expect(await refused(['dev', '--mnemonic', 'test test'])).toContain('--mnemonic');
    expect(await refused(['start', '--unsafe-skip-upgrades', '5,x'])).toContain('"x" is not a height');
  });
});

test('every option is in the table once, with its own environment name', () => {
  expect(new Set(OPTIONS.map(({ key }) => key)).size).toBe(OPTIONS.length);
  expect(new Set(OPTIONS.map(({ env }) => env)).size).toBe(OPTIONS.length);
});

describe('the ready file and the banner of a started node', () => {
  const accounts = devAccounts({ mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: 'chron' });
  const facts = {
    pid: 1,
    version: '0.1.0',
    chainId: 'chronicle_271828-1',
    evmChainId: 271828n,
    height: 0n,
    position: 3n,
    bound: { comet: { host: '0.0.0.0', port: 26657 }, grpc: { host: '::1', port: 9090 } },
    accounts,
    mnemonic: DEV_MNEMONIC,
  };
  const banner = {
    ...facts,
    funded: 10,
    home: '/d',
    genesis: undefined,
    isValidator: true,
    isWithoutCommands: false,
    readyMs: 412.4,
  };

  test('the ready file has decimal strings, full URLs, and no key for a face that is off', () => {
    const {
      accounts: [first],
      ...rest
    } = { accounts: [], ...readyFile(facts) };
    expect(rest).toEqual({
      pid: 1,
      version: '0.1.0',
      chain_id: 'chronicle_271828-1',
      evm_chain_id: '271828',
      height: '0',
      position: '3',
      endpoints: { comet: 'http://127.0.0.1:26657', grpc: '[::1]:9090' },
      mnemonic: DEV_MNEMONIC,
    });
    expect(first).toMatchObject({
      index: 0,
      name: 'dev0',
      hex: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      private_key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    });
    const { accounts: _accounts, mnemonic: _mnemonic, ...production } = facts;
    expect(Object.keys(readyFile(production))).not.toContain('accounts');
  });

  test('the banner fits a terminal, lists only open faces, and ends with the ready line', () => {
    const lines = bannerLines({ ...banner, mining: { kind: 'instant', heartbeatMs: 2000 } });
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => /^Ready in \d+ ms/.test(line))).toEqual([lines.at(-1)]);
    expect(lines.at(-1)).toMatch(/^Ready in 412 ms/);
    expect(lines.join('\n')).toContain('ws://127.0.0.1:26657/websocket');
    expect(lines.join('\n')).not.toMatch(/Ethereum|REST|Commands/);
  });

  test('the banner lists faces that other machines reach, and warns if those give keys or dev commands', () => {
    const lines = (bound: Readonly<Record<string, { readonly host: string; readonly port: number }>>, changed = {}) =>
      bannerLines({ ...banner, bound, ...changed, mining: { kind: 'manual' } }).filter((line) =>
        /^ {2}(Network|WARNING) /.test(line),
      );
    const local = { comet: { host: '127.0.0.1', port: 1 }, grpc: { host: '::1', port: 2 } };
    expect(lines(local)).toEqual([]);
    const network = '  Network   reachable from other machines: ';
    expect(lines({ ...local, comet: { host: '0.0.0.0', port: 1 } })).toEqual([`${network}comet 0.0.0.0:1`]);
    const open = { ...local, eth_http: { host: '::', port: 3 }, eth_ws: { host: '10.0.0.7', port: 4 } };
    const faces = `${network}eth_http [::]:3   eth_ws 10.0.0.7:4`;
    const warning = '  WARNING   whoever reaches the Ethereum ports can sign with the keys above';
    expect(lines(open)).toEqual([faces, `${warning} and change the chain by dev commands`]);
    expect(lines(open, { isWithoutCommands: true })).toEqual([faces, warning]);
    expect(lines(open, { accounts: undefined })).toEqual([faces]);
    const second = { chainId: 'two', evmChainId: 2n, bound: open, channels: undefined };
    const secondFaces = `${network}two eth_http [::]:3   two eth_ws 10.0.0.7:4`;
    expect(lines(local, { ibc: second })).toEqual([secondFaces, `${warning} and change the chain by dev commands`]);
    const quietly = (bound: typeof local) => announcement({ ...banner, bound, mining: { kind: 'manual' } }, true);
    const stdout = [expect.stringMatching(/^Ready in /)];
    expect(quietly(local)).toEqual({ stdout, stderr: [] });
    expect(quietly({ ...local, comet: { host: '0.0.0.0', port: 1 } })).toEqual({ stdout, stderr: [] });
    expect(quietly(open)).toEqual({
      stdout,
      stderr: [
        faces,
        '  WARNING   whoever reaches the Ethereum ports can sign with the dev keys and change the chain by dev commands',
      ],
    });
  });

  test('the banner mentions a faucet only in dev mode', () => {
    const bound = { ...facts.bound, eth_http: { host: '127.0.0.1', port: 8545 } };
    const pageOf = (changed = {}) =>
      bannerLines({ ...banner, bound, ...changed, mining: { kind: 'manual' } }).find((line) =>
        line.startsWith('  Open'),
      );
    expect(pageOf()).toBe('  Open      http://127.0.0.1:8545 in a browser: accounts, blocks, wallets, faucet');
    expect(pageOf({ accounts: undefined })).toBe(
      '  Open      http://127.0.0.1:8545 in a browser: accounts, blocks, wallets',
    );
  });

  test('the banner counts funded accounts, and says whether their keys come from --mnemonic', () => {
    const shown = (changed: Partial<typeof banner>): string =>
      bannerLines({ ...banner, ...changed, mining: { kind: 'manual' } }).join('\n');
    const known = 'keys that everybody knows: never use them on a real network)\n';
    expect(shown({})).toContain(`  Accounts (10 funded, ${known}`);
    expect(shown({})).toContain('... 7 more: chronicled keys list --dev\n');
    expect(shown({ funded: 2 })).toContain(`  Accounts (2 of 10 funded, ${known}`);
    expect(shown({ funded: 0 })).toContain(`  Accounts (0 of 10 funded, ${known}`);
    const own = shown({ mnemonic: `${'abandon '.repeat(11)}about` });
    expect(own).toContain('  Accounts (10 funded, keys of --mnemonic)\n');
    expect(own).toContain('... 7 more\n');
  });

  test.each([
    [26_657, 8545, undefined],
    [30_000, 30_001, '  Commands  --port-base 30000   (or CHRONICLED_PORT_BASE)'],
    [
      26_657,
      8555,
      '  Commands  --node http://127.0.0.1:26657 --eth-node http://127.0.0.1:8555   (or CHRONICLED_NODE, CHRONICLED_ETH_NODE)',
    ],
    [26_658, undefined, '  Commands  --node http://127.0.0.1:26658   (or CHRONICLED_NODE)'],
    [
      '[::1]:30000',
      30_001,
      '  Commands  --node http://[::1]:30000 --eth-node http://127.0.0.1:30001   (or CHRONICLED_NODE, CHRONICLED_ETH_NODE)',
    ],
  ])('the banner shows the flags for commands when the ports are %s and %s', (comet, ethereum, expected) => {
    const at = (port: number | string) =>
      typeof port === 'string' ? { host: '::1', port: 30_000 } : { host: '127.0.0.1', port };
    const lines = bannerLines({
      ...banner,
      bound: { comet: at(comet), ...(ethereum !== undefined && { eth_http: at(ethereum) }) },
      mining: { kind: 'manual' },
    });
    expect(lines.find((line) => line.startsWith('  Commands'))).toBe(expected);
  });
});

describe('lines for a terminal', () => {
  test('are wrapped at a gap below their first value, and kept whole without a gap or terminal', () => {
    const [account, mnemonic, path] = [
      `  0  0x${'f'.repeat(40)}  chron1${'z'.repeat(38)}`,
      `  mnemonic  ${'test '.repeat(11)}junk   (m/44'/60'/0'/0/i)`,
      `  Data      /${'d'.repeat(90)}`,
    ];
    expect(fittedLines([account, mnemonic, path], undefined)).toEqual([account, mnemonic, path]);
    expect(fittedLines([account, mnemonic, path], 120)).toEqual([account, mnemonic, path]);
    expect(fittedLines([account, mnemonic, path], 80)).toEqual([
      `  0  0x${'f'.repeat(40)}`,
      `     chron1${'z'.repeat(38)}`,
      `  mnemonic  ${'test '.repeat(11)}junk`,
      `            (m/44'/60'/0'/0/i)`,
      path,
    ]);
    expect(fittedLines([`  Mining    ${'instant '.repeat(4)}and so on`], 40)).toEqual([
      '  Mining    instant instant instant',
      '            instant and so on',
    ]);
    expect(fittedLines([account], 0)).toEqual([account]);
  });

  test('keep words that are longer than the width', () => {
    expect(
      fittedLines([`a ${'b'.repeat(50)} ${'c'.repeat(50)}`], 40)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(`a${'b'.repeat(50)}${'c'.repeat(50)}`);
  });
});

describe('failure messages', () => {
  test('say what, why and what to do', () => {
    expect(
      failureLines({
        id: 'E_PORT_IN_USE',
        taken: [
          { port: 8545, face: 'Ethereum JSON-RPC', owner: '"anvil" (process 4211)' },
          { port: 9090, face: 'gRPC' },
          { port: 1317, face: 'REST' },
        ],
      }),
    ).toEqual([
      'E_PORT_IN_USE: Port 8545 (Ethereum JSON-RPC) is taken by "anvil" (process 4211).',
      'Ports 9090 (gRPC), 1317 (REST) are taken.',
      'Prometheus uses 9090 too.',
      'Run with --port-base 18545 to move all ports, or --port-base 0 to let the system choose them.',
    ]);
    expect(failureLines({ id: 'E_UPGRADE_NEEDED', name: 'v2', height: 120n, info: '' })[0]).toContain(
      'UPGRADE "v2" NEEDED at height: 120: ',
    );
  });

  test('say that a fault of the executor is one of this program, and not of the database', async () => {
    const { options } = await resolved(['dev']);
    const failure = failureOfRun(new ExecutorLost('RuntimeError: unreachable\n    at engine.wasm'), options);
    expect(failureLines(failure).slice(0, 2)).toEqual([
      'E_EXECUTION: The node can make no more blocks, because of a fault in this program.',
      'executor lost: RuntimeError: unreachable',
    ]);
    expect(FAILURE_EXIT_CODES[failure.id]).toBe(1);
    expect(failureOfRun(new PoisonedError(new Error('IO error: /x: Input/output error')), options).id).toBe(
      'E_STORAGE',
    );
  });

  test('name the block whose validator updates consensus refuses', async () => {
    const { options } = await resolved(['dev']);
    const failure = failureOf(new ValidatorsRefused(toHeight(7n), 'the set would be empty'), options);
    if (failure === undefined) throw new Error('a failure is expected');
    expect(failureLines(failure)[0]).toBe(
      'E_VALIDATORS: Block 7 changes the validators in a way that consensus refuses: the set would be empty.',
    );
    expect(FAILURE_EXIT_CODES[failure.id]).toBe(1);
  });

  test.each(['dev', 'start', 'abci'])('refer to the help of the command that was typed: %s', async (command) => {
    const { options } = await resolved([command]);
    const failure = failureOf(new GenesisNeeded('evmd'), options);
    expect(failure && failureLines(failure).at(-1)).toBe(`See every option with: chronicled ${command} --help`);
  });

  test('have the exit codes of the table', () => {
    expect(FAILURE_EXIT_CODES).toMatchObject({
      E_CONFIG: 3,
      E_PORT_IN_USE: 4,
      E_HOME_LOCKED: 5,
      E_LOG_CORRUPT: 6,
      E_UPGRADE_NEEDED: 7,
    });
  });
});
