import { describe, expect, test } from 'vitest';
import { fakeNode, runCli } from './support.js';

const EVERYWHERE = ['--home', '/h', '--chain-id', '9001', '--keyring-backend', 'test', '--log_level', 'info'];
const MORE = ['--log_format=json', '--log_no_color', '--trace'];
const CLIENT = '/h/config/client.toml';

describe('flags that the Go node takes with every command', () => {
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
  ])('are no usage error of %s %s', async (...words) => {
    expect((await runCli([...words, ...EVERYWHERE, ...MORE])).code).not.toBe(2);
    expect((await runCli([...words, '--unheard-of'])).code).toBe(2);
  });

  test('are not in the help of a command that they do not concern', async () => {
    const { stdout } = await runCli(['status', '--help']);
    expect(stdout).toContain('--node');
    expect(stdout).not.toMatch(/--home|log_level|--trace/);
  });

  test('stand before a command, too, and without one mean dev', async () => {
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
  ])('belong to it: %j', async (argv) => {
    expect(await runCli(argv)).toMatchObject({ code: 0, stdout: `${dev0}\n`, stderr: '' });
  });

  test('the last of several counts, wherever they stand', async () => {
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
  ])('errors name what is wrong: %j', async (argv, reason) => {
    expect(await runCli(argv)).toMatchObject({ code: 2, stderr: reason });
  });

  test('a switch takes the next word only where it is its value', async () => {
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

  test('false behind an equals sign is above environment and files', async () => {
    const env = { CHRONICLED_EXIT_ON_HALT: 'true' };
    const halts = async (...argv: string[]) => (await runCli(['start', ...argv], { env })).ran[0]?.options.exitOnHalt;
    expect(await halts()).toBe(true);
    expect(await halts('--exit-on-halt=false')).toBe(false);
    expect(await halts('--exit-on-halt=F')).toBe(false);
  });
});

describe('start with the flags of the Go node', () => {
  test('that say what it does in any case', async () => {
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
      ['--pruning', 'everything'],
      /--pruning <strategy>' argument 'everything' is invalid\. Allowed choices are nothing/,
    ],
    [['--evm.min-tip', '1'], /Allowed choices are 0/],
    [['--grpc.enable=false'], /Allowed choices are true/],
    [['--halt-height', '5'], /unknown option '--halt-height'/],
    [['extra'], /unknown command 'start extra'/],
  ])('that say otherwise is refused: %j', async (flags, reason) => {
    expect(await runCli(['start', ...flags])).toMatchObject({ code: 2, ran: [], stderr: reason });
  });

  test.each(['cheap', '5,cheap', '5.atest', '-1', ','])('a gas price that is none is refused: %s', async (price) => {
    const { code, stderr } = await runCli(['start', `--minimum-gas-prices=${price}`]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `Error: E_CONFIG: --minimum-gas-price: "${price}" is not a gas price; expected 7 or 7achr\n`,
    });
  });

  test('that are keys of app.toml, whose file says the same', async () => {
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

  test('takes the flags of the Go node', async () => {
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
          command: { overwrite: true, validatorMnemonic: words },
        },
      },
    ]);
    expect((await runCli(['init', 'm'])).ran).toMatchObject([
      { options: { command: { validatorMnemonic: undefined } } },
    ]);
  });

  test.each([['test test test'], [undefined]])('--recover refuses %j', async (line) => {
    const { code, ran, stderr } = await runCli(['init', '--recover'], { input: line === undefined ? [] : [line] });
    expect({ code, ran }).toEqual({ code: 2, ran: [] });
    expect(stderr).toContain('init --recover: not the words of a BIP-39 mnemonic with a correct checksum');
  });
});

describe('client.toml', () => {
  async function withFile(lines: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return runCli([...argv, '--home', '/h'], { files: new Map([[CLIENT, lines]]), env });
  }

  test('is written by config set client, and read by config get client', async () => {
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

  test('gives the node and the output of a command, below flags and environment', async () => {
    const status = { result: { node_info: { network: 'n' } } };
    const [filed, other] = [await fakeNode({ status: () => status }), await fakeNode({ status: () => status })];
    const lines = `node = "${filed.address}"\noutput = "json"\n`;
    expect((await withFile(lines, ['status'])).code).toBe(0);
    expect([filed.asked.length, other.asked.length]).toEqual([1, 0]);
    expect((await withFile(lines, ['status', '--node', other.address])).code).toBe(0);
    expect((await withFile(lines, ['status'], { CHRONICLED_NODE: other.address })).code).toBe(0);
    expect([filed.asked.length, other.asked.length]).toEqual([1, 2]);
  });

  test('gives the chain id of init', async () => {
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
