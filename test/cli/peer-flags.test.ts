import { describe, expect, test } from 'vitest';
import { fakeNode, runCli } from './support.js';

const EVERYWHERE = ['--home', '/h', '--chain-id', '9001', '--keyring-backend', 'test', '--log_level', 'info'];
const MORE = ['--log_format=json', '--log_no_color', '--trace'];
const CLIENT = '/h/config/client.toml';

const OF_CLIENTS = ['--node', 'tcp://127.0.0.1:1', '--from', 'a', '--fees', '1atest', '--gas-prices', '1atest'];
const AND = ['--gas-adjustment', '1.3', '--broadcast-mode', 'sync'];

describe('flags that the Go node takes with every command', () => {
  test.each([['keys list'], ['keys show dev0 -a'], ['config home'], ['version'], ['completion bash']])(
    'are accepted, also those of clients, by: %s',
    async (line) => {
      const words = line.split(' ');
      const [{ code, stdout }, plain] = [await runCli([...OF_CLIENTS, ...words, ...AND]), await runCli(words)];
      expect({ code, stdout }).toEqual({ code: 0, stdout: plain.stdout });
    },
  );

  test.each([
    ['status'],
    ['query', 'txs', '--query', 'tx.height>0'],
    ['query', 'bank', 'params'],
    ['keys', 'list'],
    ['debug', 'addr', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['comet', 'version'],
    ['dev', 'time'],
    ['version'],
    ['start'],
    ['init'],
    ['log', 'verify'],
  ])('are no usage error for %s %s', async (...words) => {
    expect((await runCli([...words, ...EVERYWHERE, ...MORE])).code).not.toBe(2);
    expect((await runCli([...words, '--unheard-of'])).code).toBe(2);
  });

  test('are hidden in the help of a command that does not use them', async () => {
    const { stdout } = await runCli(['status', '--help']);
    expect(stdout).toContain('--node');
    expect(stdout).not.toMatch(/--home|log_level|--trace/);
    const completed = (await runCli(['completion', 'bash'])).stdout.match(/^_chronicled_words\['status'\]=.*$/m)?.[0];
    expect(completed).toContain('--node');
    expect(completed).not.toMatch(/--home|log_level|--trace/);
  });

  test('are also accepted before the command; without a command they run dev', async () => {
    const before = await runCli([...EVERYWHERE, ...MORE, 'start', '--mining', 'manual']);
    expect(before.ran).toMatchObject([
      { command: 'start', options: { home: '/h', chainId: '9001', logFormat: 'json', mining: { kind: 'manual' } } },
    ]);
    expect((await runCli(['--home=/h', 'keys', 'list'])).code).toBe(0);
    expect((await runCli(['--home', '/h'])).ran).toMatchObject([{ command: 'dev', options: { home: '/h' } }]);
    expect((await runCli(['--home', '/h', '--mining', 'manual'])).ran).toMatchObject([{ command: 'dev' }]);
    expect(await runCli(['--home', '/h', 'statsu'])).toMatchObject({ code: 2, stderr: /unknown command 'statsu'/ });
  });
});

describe('flags between the words of a command', () => {
  const dev0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

  test.each([
    [['keys', '--home', '/h', 'show', 'dev0', '--hex']],
    [['keys', 'show', '--hex', '--home=/h', 'dev0']],
    [['keys', '--hex', 'show', 'dev0']],
    [['--trace', 'keys', '--keyring-backend', 'test', '--hex', 'show', '--log_level', 'info', 'dev0']],
    [['keys', '--home', 'show', '--hex', 'show', 'dev0']],
    [['keys', 'show', '--hex=true', 'dev0']],
    [['keys', 'show', '--address=false', '--hex=1', 'dev0']],
  ])('are accepted: %j', async (argv) => {
    expect(await runCli(argv)).toMatchObject({ code: 0, stdout: `${dev0}\n`, stderr: '' });
  });

  test('override an earlier flag of the same name', async () => {
    const homes = async (...argv: string[]) => (await runCli(argv)).stdout;
    expect(await homes('--home', '/a', 'config', 'home')).toBe('/a\n');
    expect(await homes('--home', '/a', 'config', '--home', '/b', 'home')).toBe('/b\n');
    expect(await homes('--home', '/a', 'config', '--home', '/b', 'home', '--home', '/c')).toBe('/c\n');
  });

  test.each([
    [['tx', '--unheard-of', 'bank', 'send'], /unknown option '--unheard-of'/],
    [['tx', '--home', '/h', 'bnak', 'send'], /unknown command 'bnak'/],
    [['tx', 'bank', '--home', '/h', 'send', '--unheard-of'], /unknown option '--unheard-of'/],
    [['tx', 'bank', 'send', '--yes=maybe', 'a', 'b', '1c'], /unknown option '--yes=maybe'/],
    [['keys', '--home', '/h', 'show'], /missing required argument 'name'/],
  ])('are named in errors: %j', async (argv, reason) => {
    expect(await runCli(argv)).toMatchObject({ code: 2, stderr: reason });
  });

  test('take the next word as the value of a switch only if it is a boolean', async () => {
    const words = 'test test test test test test test test test test test junk';
    const recover = (argv: readonly string[]) => runCli(['keys', 'add', ...argv, '--dry-run'], { input: [words] });
    for (const argv of [
      ['--recover', 'mine'],
      ['mine', '--recover'],
      ['mine', '--recover', words],
      ['--recover', words, 'mine'],
    ]) {
      const { code, stdout } = await recover(argv);
      expect({ argv, code, own: stdout.includes(dev0) }).toEqual({ argv, code: 0, own: true });
    }
    expect((await runCli(['start', '--grpc.enable', ''])).ran).toMatchObject([{ command: 'start' }]);
    expect((await runCli(['start', '--json-rpc.enable', 'false'])).ran).toMatchObject([
      { options: { jsonRpc: { enabled: false } } },
    ]);
  });

  test('override environment and files with =false', async () => {
    const env = { CHRONICLED_EXIT_ON_HALT: 'true' };
    const halts = async (...argv: string[]) => (await runCli(['start', ...argv], { env })).ran[0]?.options.exitOnHalt;
    expect(await halts()).toBe(true);
    expect(await halts('--exit-on-halt=false')).toBe(false);
    expect(await halts('--exit-on-halt=F')).toBe(false);
  });
});

describe('start with flags of the Go node', () => {
  test('accepts those whose value is its default behaviour', async () => {
    const { ran, stderr } = await runCli([
      ...['start', '', '--pruning', 'nothing', '--log_level', 'error', '--minimum-gas-prices=5.5atest'],
      ...['--evm.min-tip=0', '--json-rpc.api', 'eth,txpool,personal,net,debug,web3', '--evm.evm-chain-id', '7'],
      ...['--api.enable', '--grpc.enable=true', '--api.enabled-unsafe-cors', '--trace'],
    ]);
    expect(stderr).toBe('');
    expect(ran).toMatchObject([
      {
        command: 'start',
        options: { minGasPrice: 5n, evmChainId: 7n, logLevel: 'error', corsAllowedOrigins: ['*'] },
      },
    ]);
  });

  test.each([
    [
      ['--pruning', 'most'],
      /--pruning <strategy>' argument 'most' is invalid\. Allowed choices are default, nothing, everything, custom/,
    ],
    [['--evm.min-tip', '1'], /Allowed choices are 0/],
    [['--grpc.enable=false'], /Allowed choices are true/],
    [['--halt-height', '5'], /unknown option '--halt-height'/],
    [['extra'], /unknown command 'start extra'/],
  ])('refuses unsupported values and flags: %j', async (flags, reason) => {
    expect(await runCli(['start', ...flags])).toMatchObject({ code: 2, ran: [], stderr: reason });
  });

  test.each(['cheap', '5,cheap', '5.atest', '-1', ','])('refuses an invalid gas price: %s', async (price) => {
    const { code, stderr } = await runCli(['start', `--minimum-gas-prices=${price}`]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `Error: E_CONFIG: --minimum-gas-price: "${price}" is not a gas price; expected 7 or 7achr\n`,
    });
  });

  const pruning = async (argv: readonly string[], lines = '') =>
    runCli([...argv, '--home', '/h'], { files: new Map([['/h/config/app.toml', lines]]) });

  test.each([
    [['start'], '', { strategy: 'default', keepRecent: 362_880n, interval: 10n }],
    [['dev'], 'pruning = "everything"\n', { strategy: 'nothing', keepRecent: undefined, interval: 10n }],
    [['dev', '--pruning', 'default'], '', { strategy: 'default', keepRecent: 362_880n, interval: 10n }],
    [['start'], 'pruning = "everything"\n', { strategy: 'everything', keepRecent: 2n, interval: 10n }],
    [
      ['prune', '--pruning-keep-recent', '7'],
      'pruning = "nothing"\n',
      { strategy: 'nothing', keepRecent: undefined, interval: 10n },
    ],
    [['prune', 'custom', '--pruning-keep-recent', '7'], '', { strategy: 'custom', keepRecent: 7n, interval: 10n }],
    [
      ['start', '--pruning-keep-recent=7'],
      'pruning = "custom"\npruning-keep-recent = "100"\npruning-interval = "25"\n',
      { strategy: 'custom', keepRecent: 7n, interval: 25n },
    ],
  ])('resolves the pruning options of the SDK: %j', async (argv, lines, kept) => {
    expect((await pruning(argv, lines)).ran).toMatchObject([{ command: argv[0], options: { pruning: kept } }]);
  });

  test.each([
    [
      ['--pruning-keep-recent', '1', '--pruning-interval', '10'],
      /--pruning-keep-recent: must not be less than 2\. For the most/,
    ],
    [
      ['--pruning-keep-recent', '2', '--pruning-interval', '9'],
      /--pruning-interval: must not be less than 10\. For the most/,
    ],
    [
      ['--pruning-keep-recent', `${2n ** 63n}`, '--pruning-interval', '10'],
      /--pruning-keep-recent: must not be greater than 2\^63-1/,
    ],
    [['--pruning-keep-recent', 'all'], /--pruning-keep-recent: "all" is not a whole number/],
    [[], /default of --pruning-keep-recent: must not be less than 2/],
  ])('refuses an invalid number for custom pruning: %j', async (argv, stderr) => {
    expect(await pruning(['start', '--pruning', 'custom', ...argv])).toMatchObject({ code: 3, ran: [], stderr });
  });

  test('refuses an invalid value of app.toml and names the file', async () => {
    const { code, stderr } = await pruning(['start'], 'pruning = "most"\n');
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: /config\/app\.toml: pruning: "most" is none of default/,
    });
  });

  test('reads the same keys from app.toml', async () => {
    const origins = async (argv: readonly string[], lines = '') =>
      (await runCli(['start', '--home', '/h', ...argv], { files: new Map([['/h/config/app.toml', lines]]) })).ran[0]
        ?.options.corsAllowedOrigins;
    const file = '[api]\nenabled-unsafe-cors = true\n';
    expect(await origins([])).toEqual([]);
    expect(await origins([], file)).toEqual(['*']);
    expect(await origins(['--api.enabled-unsafe-cors=false'], file)).toEqual([]);
    expect(await origins(['--api.enabled-unsafe-cors', '--cors-allowed-origins', 'http://a.b'])).toEqual([
      'http://a.b',
    ]);
  });
});

describe('init', () => {
  const words = 'test test test test test test test test test test test junk';

  test('accepts the flags of the Go node', async () => {
    const { ran } = await runCli(['init', 'm', '-o', '--recover', '--default-denom', 'atest', '--chain-id', '9001'], {
      input: [` ${words} `],
    });
    expect(ran).toMatchObject([
      {
        command: 'init',
        options: {
          moniker: 'm',
          baseDenom: 'atest',
          chainId: '9001',
        },
        args: { overwrite: true, validatorMnemonic: words },
      },
    ]);
    expect((await runCli(['init', 'm'])).ran).toMatchObject([{ args: { validatorMnemonic: undefined } }]);
  });

  test.each([['test test test'], [undefined]])('--recover refuses %j', async (line) => {
    const { code, ran, stderr } = await runCli(['init', '--recover'], { input: line === undefined ? [] : [line] });
    expect({ code, ran }).toEqual({ code: 2, ran: [] });
    expect(stderr).toContain('init --recover: not the words of a BIP-39 mnemonic with a correct checksum');
  });
});

describe('app.toml and config.toml', () => {
  const [APP, CONFIG, OWN] = ['/h/config/app.toml', '/h/config/config.toml', '/h/config/chronicled.toml'];
  const run = (texts: Map<string, string>, ...words: readonly string[]) =>
    runCli(['config', ...words, '--home', '/h'], { texts, files: texts });

  test.each([
    ['app', 'minimum-gas-prices', '5atest', OWN, 'minimum-gas-price = "5atest"'],
    ['app', 'json-rpc.api', 'eth,web3', OWN, '[evm.rpc]\napi = "eth,web3"'],
    ['app', 'pruning', 'nothing', OWN, 'pruning = "nothing"'],
    ['app', 'pruning-keep-recent', '100', OWN, 'pruning-keep-recent = 100'],
    ['app', 'evm.evm-chain-id', '9001', OWN, 'evm-chain-id = 9001'],
    ['app', 'api.enabled-unsafe-cors', 'true', APP, '[api]\nenabled-unsafe-cors = true'],
    ['app', 'state-sync.snapshot-interval', '7', OWN, '[state-sync]\nsnapshot-interval = 7'],
    ['config', 'rpc.laddr', 'tcp://0.0.0.0:1', OWN, '[rpc]\nladdr = "tcp://0.0.0.0:1"'],
    ['config', 'consensus.timeout_commit', '1s', CONFIG, '[consensus]\ntimeout_commit = "1s"'],
  ])('have keys that config set and config get accept: %s %s', async (file, key, value, path, text) => {
    const texts = new Map<string, string>();
    expect(await run(texts, 'set', file, key, value, '--skip-validate', '-v')).toMatchObject({ code: 0, stderr: '' });
    expect(Object.fromEntries(texts)).toEqual({ [path]: `${text}\n` });
    expect((await run(texts, 'get', file, key)).stdout.trim().replaceAll('"', '')).toBe(value);
  });

  test.each([
    ['api.enable', 'true'],
    ['inter-block-cache', 'false'],
  ])('need no line for a value that is the only behaviour of this node: %s', async (key, value) => {
    const texts = new Map<string, string>();
    expect(await run(texts, 'set', 'app', key, value)).toMatchObject({ code: 0, stderr: '' });
    expect([...texts]).toEqual([]);
  });

  test.each([
    [['set', 'app', 'api.enable', 'false'], 3, /app\.toml: api\.enable: "false" is none of true/],
    [['set', 'app', 'minimum-gas-prices', 'cheap'], 3, /"cheap" is not a gas price/],
    [['set', 'config', 'consensus.timeout_commit', 'soon'], 3, /timeout_commit: "soon" is no value of this key/],
    [['set', 'app', 'nope', '1'], 10, /key "nope" not found/],
    [['get', 'config', 'consensus.nope'], 10, /key "consensus.nope" not found/],
  ])('are unchanged after an invalid key or value: %j', async (words, code, stderr) => {
    const texts = new Map<string, string>();
    expect(await run(texts, ...words)).toMatchObject({ code, stderr });
    expect([...texts]).toEqual([]);
  });

  test('config show has the chain id of the genesis in the home, unless another source names one', async () => {
    const files = new Map([['/h/config/genesis.json', '{"chain_id":"mine_9-1"}']]);
    const shown = async (...flags: readonly string[]): Promise<string | undefined> =>
      (await runCli(['config', 'show', '--origin', ...flags], { files })).stdout
        .split('\n')
        .find((line) => line.startsWith('chain-id = '));
    expect(await shown('--home', '/h')).toBe('chain-id = "mine_9-1"  # /h/config/genesis.json: chain_id');
    expect(await shown('--home', '/other')).toBe('chain-id = "chronicle_271828-1"  # default of --chain-id');
    files.set('/h/config/chronicled.toml', 'chain-id = "other_9-1"');
    expect(await shown('--home', '/h')).toBe('chain-id = "other_9-1"  # /h/config/chronicled.toml: chain-id');
  });

  test('config show prints what chronicled.toml may hold, and names what has no value', async () => {
    const show = async (files: ReadonlyMap<string, string>): Promise<string> =>
      (await runCli(['config', 'show', '--home', '/h'], { files })).stdout;
    const first = await show(new Map([['/h/config/chronicled.toml', 'accounts = 3\nquiet = true']]));
    expect(first.split('\n')).toEqual(
      expect.arrayContaining(['accounts = 3', 'quiet = true', 'moniker = "localnode"', '# branch is not set']),
    );
    expect(await show(new Map([['/h/config/chronicled.toml', first]]))).toBe(first);
  });

  test('config view shows a file', async () => {
    const texts = new Map([[APP, 'a = 1\n']]);
    expect(await run(texts, 'view', 'app')).toMatchObject({ code: 0, stdout: 'a = 1\n' });
    expect(await run(texts, 'view', 'config')).toMatchObject({ code: 10 });
    expect(await run(texts, 'view', 'other')).toMatchObject({ code: 2 });
  });
});

describe('client.toml', () => {
  async function withFile(lines: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return runCli([...argv, '--home', '/h'], { files: new Map([[CLIENT, lines]]), env });
  }

  test('is written by config set client and read by config get client', async () => {
    const texts = new Map<string, string>();
    for (const [key, value] of [
      ['chain-id', '9001'],
      ['keyring-backend', 'test'],
      ['chain-id', '9002'],
    ] as const)
      expect((await runCli(['config', 'set', 'client', key, value, '--home', '/h'], { texts })).code).toBe(0);
    expect(Object.fromEntries(texts)).toEqual({ [CLIENT]: 'chain-id = "9002"\nkeyring-backend = "test"\n' });
    const got = await runCli(['config', 'get', 'client', 'chain-id', '--home', '/h'], { files: texts });
    expect(got.stdout).toBe('"9002"\n');
    expect(await runCli(['config', 'set', 'client', 'nodes', 'x', '--home', '/h'], { texts })).toMatchObject({
      code: 10,
      stderr: /key "nodes" not found; client\.toml has chain-id, keyring-backend/,
    });
  });

  test('provides defaults for --node and --output, below flags and environment', async () => {
    const status = { result: { node_info: { network: 'n' } } };
    const [filed, other] = [await fakeNode({ status: () => status }), await fakeNode({ status: () => status })];
    const lines = `node = "${filed.address}"\noutput = "json"\n`;
    expect((await withFile(lines, ['status'])).code).toBe(0);
    expect([filed.asked.length, other.asked.length]).toEqual([1, 0]);
    expect((await withFile(lines, ['status', '--node', other.address])).code).toBe(0);
    expect((await withFile(lines, ['status'], { CHRONICLED_NODE: other.address })).code).toBe(0);
    expect([filed.asked.length, other.asked.length]).toEqual([1, 2]);
  });

  test('provides the chain id of init', async () => {
    expect((await withFile('chain-id = "9001"\n', ['init'])).ran).toMatchObject([{ options: { chainId: '9001' } }]);
    expect((await withFile('chain-id = "9001"\n', ['init', '--chain-id', 'x'])).ran).toMatchObject([
      { options: { chainId: 'x' } },
    ]);
  });

  test.each([
    ['keyring-backend = "os"\n', /client\.toml: keyring-backend: "os" is none of test, file, memory/],
    ['node = \n', /client\.toml:1:/],
  ])('with %j is refused', async (lines, reason) => {
    expect(await withFile(lines, ['keys', 'list'])).toMatchObject({ code: 3, stderr: reason });
  });
});
