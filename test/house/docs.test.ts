import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { CONSENSUS_EVENT_TYPES } from '../../src/core/comet/websocket-events.js';
import { OPTIONS } from '../../src/config/options.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { ownEnvironment } from '../support/own-environment.js';
import { temporaryFolder } from '../support/temporary.js';
import { curl } from './curl.js';
import { grpcurl } from './grpcurl.js';
import { commandsOf, javascriptOf, linksOf, mentionsOf, stepsOf, wordsOf } from './markdown.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const main = join(root, 'dist', 'node', 'main.js');
const readme = read('README.md');
/** Guides for readers; decision records are not rewritten when a name changes later. */
const guides = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs'), ...markdownIn('docs/interfaces')];
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/decisions'),
  ...markdownIn('docs/interfaces'),
  ...markdownIn('docs/generated'),
];

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
}

const SEND_BY_CURL = `curl -s http://127.0.0.1:8545 -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","value":"0xde0b6b3a7640000"}]}'`;
const BALANCE_BY_CURL = `curl -s http://127.0.0.1:8545 -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]}'`;
/** Balance of dev1 after `sent` transfers of 1 chr. */
const balanceAfter = (sent: bigint): bigint => (10_000n + sent) * 10n ** 18n;

/**
 * Run against a daemon below, in the order of the README, with the text that the answer must hold. Balances count the
 * transfers before.
 */
const AGAINST_DAEMON: ReadonlyMap<string, RegExp> = new Map([
  [SEND_BY_CURL, /"result":"0x[0-9a-f]{64}"/],
  ['npx chronicled tx bank send dev0 dev1 1000000000000000000achr --yes -b block', /"code":0/],
  ['npx chronicled keys list --dev', /name: dev0[\s\S]*name: dev9/],
  ['npx chronicled query bank balances dev1', new RegExp(`amount: "${balanceAfter(2n)}"\\n\\s+denom: achr`)],
  ['npx chronicled query block 1', /height: "1"/],
  [
    `grpcurl -plaintext -d '{"address":"chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9"}' 127.0.0.1:9090 cosmos.bank.v1beta1.Query/AllBalances`,
    new RegExp(`"amount": "${balanceAfter(4n)}"`),
  ],
  [BALANCE_BY_CURL, new RegExp(`"result":"0x${balanceAfter(4n).toString(16)}"`)],
  [
    'curl -s http://127.0.0.1:1317/cosmos/bank/v1beta1/balances/chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9',
    new RegExp(`"amount":"${balanceAfter(4n)}"`),
  ],
  ['curl -s http://127.0.0.1:26657/status', /"network":"chronicle_271828-1"/],
  ["curl -s 'http://127.0.0.1:26657/block?height=1'", /"height":"1"/],
  ['curl -s http://127.0.0.1:26660/health', /"status":"running"/],
]);

/** Commands of other guides: they run against the same daemon after the README's. */
const IN_GUIDES: ReadonlyMap<string, RegExp> = new Map([
  ['curl localhost:1317/cosmos/bank/v1beta1/balances/{address}/by_denom?denom=achr', /"denom":\s*"achr"/],
  ['curl localhost:1317/sdk/upgrade/v1beta1/current_plan', /"plan":\s*/],
  [
    "curl -H 'x-cosmos-block-height: 7' localhost:1317/cosmos/auth/v1beta1/accounts?pagination.limit=5",
    /"accounts":\s*\[/,
  ],
  ['curl localhost:1317/openapi.json', /"openapi":/],
  [
    `curl -s http://127.0.0.1:8545/faucet -H 'content-type: application/json' -d '{"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}'`,
    /"hash":"0x[0-9a-f]{64}"/,
  ],
]);

/** Blocks of JavaScript in the README, by a text that they hold, with what they print. */
const SCRIPTS: readonly (readonly [holds: string, prints: RegExp])[] = [
  ["from 'viem'", /^success \d+n 0x[0-9a-f]{64}\n$/],
  ["from '@cosmjs/stargate'", /^0 \d+ [0-9A-F]{64}\n$/],
];

/** Run against the home of the daemon after it has stopped, in this order. */
const ON_STOPPED_HOME: ReadonlyMap<string, RegExp> = new Map([
  ['npx chronicled log verify', /"problems":\[\]/],
  ['npx chronicled log show --limit 5', /"type":"ChainStarted"/],
  ['npx chronicled reset -y', /removed the chain/],
]);

/** Commands that this test does not run, with the reason. */
const NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['npm ci', 'what installed this checkout'],
  ['npm install --save-dev chronicled', 'test/package installs the tarball instead'],
  ['npm install --save-dev chronicled fast-check', 'test/package installs the tarball instead'],
  ['docker compose up --build', 'test/package/container.test.ts follows the Dockerfile'],
  ['npm start', 'builds into the tree that other tests use; .ci/run and the e2e tests start the same program'],
  ['npm test', 'runs this test'],
  ['npm run test:unit', 'part of npm test'],
  ['npm run check', 'part of npm test'],
  ['npm run format', 'rewrites the tree that other tests read; the check of the same tool is part of npm run check'],
  ['go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.25', 'scripts/install-clients.js does, where Go is'],
  ['node scripts/network.js ../network', 'never ends; test/network/script.test.ts starts it'],
  ['chronicled init node0', 'test/network/by-hand.test.ts, in homes of its own, as the next four'],
  ['chronicled genesis gentx dev0 100chr --ip 10.0.0.10 --p2p-port 26656', 'as above'],
  ['chronicled genesis collect-gentxs', 'as above'],
  [
    'chronicled comet init --persistent-peers ID0@10.0.0.10:26656,ID1@10.0.0.11:26656 --state-sync-rpc http://10.0.0.10:26657,http://10.0.0.11:26657 --trust-height 2000 --trust-hash HASH',
    'a network of several machines: test/network/state-sync.test.ts',
  ],
  ['chronicled init node4', 'as above'],
  [
    'chronicled comet init --persistent-peers ID1@10.0.0.11:26656,ID2@10.0.0.12:26656,ID3@10.0.0.13:26656',
    'as above, with another id',
  ],
  ['chronicled abci --comet http://127.0.0.1:26657', 'never ends; test/network starts it on ports of its own'],
  ['cometbft start --home ~/.chronicled/comet', 'never ends; test/network starts it'],
  ['npx chronicled dev --ephemeral', 'never ends; the daemon below runs with the same command'],
]);

/** In running text: run below with real values in place of placeholders, with the text that the answer must contain. */
const MENTIONED_AND_TRIED: ReadonlyMap<string, readonly [command: string, answer: RegExp]> = new Map([
  ['npx chronicled --help', ['npx chronicled --help', /Usage: chronicled[\s\S]*upgrade/]],
  ['npx chronicled dev --help', ['npx chronicled dev --help', /--mining <mode>[\s\S]*CHRONICLED_/]],
  ['chronicled dev --help', ['npx chronicled dev --help', /--mining <mode>/]],
  ['chronicled keys add', ['npx chronicled keys add somebody', /somebody/]],
  [
    'chronicled upgrade schedule <name> --height <height>',
    ['npx chronicled upgrade schedule rehearsal --height 100000 --yes -b block', /"code":0/],
  ],
]);

/** In running text: run by another test, which contains this text. */
const MENTIONED_AND_RUN_BY: ReadonlyMap<string, readonly [file: string, text: string]> = new Map([
  ['chronicled dev', ['test/support/daemon.ts', "'dev'"]],
  ['npx chronicled dev --ibc', ['test/e2e/dev-ibc.test.ts', "'--ibc'"]],
  ['chronicled start', ['test/e2e/exit-codes.test.ts', "command: 'start'"]],
  ['chronicled genesis add-genesis-account', ['test/network/by-hand.test.ts', "'add-genesis-account'"]],
  ['chronicled comet show-node-id', ['test/network/by-hand.test.ts', "'show-node-id'"]],
  ['chronicled abci', ['test/network/cometbft.ts', "command: 'abci'"]],
  ['chronicled comet init', ['test/network/cometbft.ts', "'comet', 'init'"]],
  ['chronicled init', ['test/e2e/exit-codes.test.ts', "'init'"]],
  ['chronicled genesis validate', ['test/e2e/initialised-home.test.ts', "'genesis', 'validate'"]],
  ['chronicled trace <hash>', ['test/e2e/activity.test.ts', "'trace'"]],
  ['chronicled pre-upgrade', ['test/e2e/upgrade-rehearsal.test.ts', "'pre-upgrade'"]],
  ['chronicled upgrade rehearse v2', ['test/e2e/upgrade-rehearsal.test.ts', "rehearse('v2')"]],
  ['chronicled reset', ['test/house/docs.test.ts', 'npx chronicled reset -y']],
  ['chronicled reset -y', ['test/house/docs.test.ts', 'npx chronicled reset -y']],
  ['chronicled genesis validate', ['test/e2e/initialised-home.test.ts', "'genesis', 'validate'"]],
  ['chronicled trace <hash>', ['test/e2e/activity.test.ts', "'trace',"]],
  ['chronicled log rebuild', ['test/e2e/log-rebuild.test.ts', "'rebuild'"]],
  ['chronicled log verify', ['test/house/docs.test.ts', 'npx chronicled log verify']],
  ['chronicled log verify --execute', ['test/e2e/exit-codes.test.ts', "'verify', '--execute'"]],
  ['chronicled prune', ['test/e2e/pruning.test.ts', "chronicled(['prune'"]],
  ['chronicled backup <folder>', ['test/e2e/backup.test.ts', "chronicled(['backup', target"]],
  ['npx buf generate', ['test/proto/descriptors.test.ts', 'buf']],
  ['node scripts/kill-loop.js', ['test/e2e/kill.test.ts', 'CHRONICLED_KILLS']],
  ['node scripts/soak.js', ['test/e2e/soak.test.ts', 'CHRONICLED_SOAK_BLOCKS']],
  ['node scripts/walk-views.js', ['test/e2e/view-walk.test.ts', 'CHRONICLED_WALK']],
  ['node scripts/power-cuts.js', ['test/power/power-cuts.test.ts', 'CHRONICLED_PICTURES']],
  ['node scripts/power-cuts.js --pictures 20000', ['test/power/power-cuts.test.ts', 'CHRONICLED_PICTURES']],
  ['node scripts/power-disks.js', ['test/power/power-disks.test.ts', 'CHRONICLED_DISKS']],
  ['node scripts/network-kills.js', ['test/network/four-validators.test.ts', 'CHRONICLED_NETWORK_BLOCKS']],
  ['node scripts/attacks.js', ['test/attacks/attacks.test.ts', 'CHRONICLED_ATTACKS']],
  ['node scripts/install-clients.js', ['test/clients/clients.ts', 'CHRONICLED_CLIENTS']],
  ['node scripts/fuzz.js', ['test/fuzz/decoders.test.ts', 'CHRONICLED_FUZZ']],
  ['node scripts/ibc-packets.js', ['test/core/modules/ibc/chains/packets.test.ts', 'CHRONICLED_HISTORIES']],
  ['node scripts/flip-bytes.js', ['test/store/leveldb/flipped-bytes.test.ts', 'CHRONICLED_FLIPS']],
  ['node scripts/record-chain.js <url> <folder>', ['test/e2e/compare-chain.test.ts', 'record-chain.js']],
  ['chronicled debug double-sign', ['test/e2e/staking.test.ts', "'debug', 'double-sign'"]],
  [
    'chronicled debug compare-chain <folder> --evm-chain-id <id>',
    ['test/e2e/compare-chain.test.ts', "chronicledHere(['debug', 'compare-chain', directory"],
  ],
]);

/** In running text: not run, with the reason. */
const MENTIONED_NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['node scripts/replay-simulations.js FOLDER', 'needs recordings that are not part of this repository'],
  ['npm start', 'builds into the tree that other tests use; the same program is started'],
  ['npm test', 'runs this test'],
  ['npm run test:unit', 'part of npm test'],
  ['npm run check', 'part of npm test'],
  ['npm run format', 'rewrites the tree that other tests read; the check of the same tool is part of npm run check'],
  ['npm run build', 'before every npm test'],
  ['npm run bench', 'measures for minutes'],
  ['node bench/run.js transfers startup', 'measures for minutes'],
  ['node bench/run.js <suite>', 'measures for minutes'],
  ['node scripts/memory-slope.js', 'measures for minutes'],
  ['node scripts/concurrent-traces.js', 'starts nodes for minutes'],
  ['node scripts/ibc-kills.js', 'kills nodes for minutes'],
  ['node bench/build-pairs.js <other worktree> [rounds]', 'measures for minutes'],
  ['npx tsc -p tsconfig.build.json', 'part of npm run bench'],
  ['npm install --prefix bench', 'downloads the peer of the benchmarks'],
  ['npx vitest run test/<area>', 'what runs this test'],
  ['npm install @cosmjs/proto-signing @cosmjs/stargate', 'both are installed here; the JavaScript below uses them'],
  ['npm install viem', 'it is installed here; the JavaScript below uses it'],
]);

describe('commands in running text', () => {
  const mentions = [...new Set(guides.flatMap((file) => mentionsOf(read(file))))];

  test('are all run by a test or listed with a reason', () => {
    const known = new Set([
      ...MENTIONED_AND_TRIED.keys(),
      ...MENTIONED_AND_RUN_BY.keys(),
      ...MENTIONED_NOT_RUN.keys(),
      ...NOT_RUN.keys(),
    ]);
    expect(mentions.length).toBeGreaterThan(10);
    expect(mentions.filter((command) => !known.has(command))).toEqual([]);
  });

  test('occur in the test that is named as running them', () => {
    const broken = [...MENTIONED_AND_RUN_BY]
      .filter(([, [file, text]]) => !read(file).includes(text))
      .map(([command]) => command);
    expect(broken).toEqual([]);
  });
});

/** Tests of their own run all of their commands: cli-docs and upgrade-docs of test/e2e, first-hour of test/package. */
const RUN_ELSEWHERE = ['docs/interfaces/cli.md', 'docs/FIRST-HOUR.md', 'docs/UPGRADES.md'];

describe('commands in fenced blocks', () => {
  test.each(guides.filter((file) => !RUN_ELSEWHERE.includes(file)))(
    'of %s are all run by a test or listed with a reason',
    (file) => {
      const known = [...AGAINST_DAEMON.keys(), ...IN_GUIDES.keys(), ...ON_STOPPED_HOME.keys(), ...NOT_RUN.keys()];
      const written = commandsOf(read(file));
      if (['README.md', 'CONTRIBUTING.md'].includes(file)) expect(written.length).toBeGreaterThan(0);
      expect(written.filter((command) => !known.includes(command))).toEqual([]);
    },
  );

  test('that this test runs are still in the README', () => {
    const written = commandsOf(readme);
    expect(
      [...AGAINST_DAEMON.keys(), ...ON_STOPPED_HOME.keys()].filter((command) => !written.includes(command)),
    ).toEqual([]);
  });

  test('are parsed without comments and other languages', () => {
    expect(commandsOf('text\n```sh\nnpm ci\n# why\n\nnpm test # all\n```\n```js\nconst x = 1;\n```\n')).toEqual([
      'npm ci',
      'npm test',
    ]);
  });
});

describe('names in documents', () => {
  test('scripts are scripts of package.json', () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'));
    const named = guides.flatMap((file) =>
      [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('links point at files', () => {
    const broken = documents.flatMap((file) =>
      linksOf(read(file))
        .filter((link) => !existsSync(join(root, dirname(file), link)))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('options of the daemon exist', () => {
    const known = new Set([
      ...OPTIONS.flatMap(({ flag }) => [...flag.matchAll(/--[\w.-]+/g)].map(([name]) => name)),
      '--help',
      '--node',
      '--dev',
      '--yes',
      '--execute',
      '--height',
      '--limit',
      '--home',
      '--seed',
    ]);
    const named = ['README.md', 'docs/OPERATING.md'].flatMap((file) =>
      [
        ...read(file)
          .replace(/docker compose[^`\n]*/g, '')
          .matchAll(/(?<![\w-])--[a-z][\w.-]*[a-z]/g),
      ].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('limits are rows of the limits table', () => {
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/`(mempool\w+|search\w+|provable\w+|range[A-Z]\w+|batch\w+)`/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in DEFAULT_LIMITS))).toEqual([]);
  });

  test('round events in the architecture are events of consensus', () => {
    const [, list = ''] = /Round events of a height \(([^)]*)\)/.exec(read('docs/ARCHITECTURE.md')) ?? [];
    const events: readonly string[] = CONSENSUS_EVENT_TYPES;
    const named = list.split(', ').filter((name) => name !== '...');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !events.includes(name))).toEqual([]);
  });

  test('every decision has a unique number, which its title repeats', () => {
    const files = markdownIn('docs/decisions');
    const numbers = files.map((file) => /\/(\d{4})-/.exec(file)?.[1] ?? file);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(files.filter((file, index) => !read(file).startsWith(`# ${numbers[index]}: `))).toEqual([]);
  });

  test('runtime and development dependencies each have a row in their decision', () => {
    const { dependencies, devDependencies }: { readonly dependencies: object; readonly devDependencies: object } =
      JSON.parse(read('package.json'));
    const decision = read('docs/decisions/0003-dependencies.md');
    const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !decision.includes(`\`${name}\``) && !(name.startsWith('@cosmjs/') && decision.includes('`@cosmjs/*`')),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/FROM-CODE.md', () => {
  const guide = read('docs/FROM-CODE.md');
  const api = read('src/library/types.ts');
  /** Names in the first column of the table below a heading. */
  const rows = (heading: string): readonly string[] =>
    [...((guide.split(heading)[1] ?? '').split('\n## ')[0]?.matchAll(/^\| (`.+?) \|/gm) ?? [])].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
    );

  test('lists exactly the options and members of the API', () => {
    const declared = (name: string): readonly string[] =>
      [
        ...(api.split(`export interface ${name} {`)[1]?.split('\n}')[0] ?? '').matchAll(
          /^ {2}(?:readonly )?(\w+)[?:(]/gm,
        ),
      ].map(([, member = '']) => member);
    expect(declared('StartOptions').length).toBeGreaterThan(5);
    expect(rows('## Options').toSorted()).toEqual(declared('StartOptions').toSorted());
    expect(rows('# From code').toSorted()).toEqual(declared('ChronicleNode').toSorted());
  });

  test('has code that runs and ends by itself', async () => {
    const [script = ''] = javascriptOf(guide);
    expect(await runModule(script)).toMatch(/^0x1 0x[0-9a-f]+ \d+\n$/);
  });
});

/** Output of a module that runs in this package, under whose name it finds the package. */
function runModule(program: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: ownEnvironment() };
    const child = execFile(process.execPath, ['--input-type=module'], options, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
    child.stdin?.end(program);
  });
}

describe('the README, followed by a newcomer', () => {
  const home = temporaryFolder();
  let daemon: DaemonProcess;

  beforeAll(async () => {
    daemon = await startDaemonProcess({ home });
  });
  afterAll(async () => {
    await daemon.kill('SIGKILL');
  });

  /** The text with this daemon's addresses instead of the default ones. */
  function here(text: string): string {
    const { comet, metrics, eth_http: ethereum = '', grpc = '', rest = '' } = daemon.endpoints;
    return text
      .replace('block-height: 7', 'block-height: 1')
      .replace('{address}', 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9')
      .replace(/(http:\/\/127\.0\.0\.1|localhost):1317/g, rest)
      .replaceAll('127.0.0.1:9090', grpc)
      .replaceAll('http://127.0.0.1:26657', comet)
      .replaceAll('http://127.0.0.1:26660', metrics)
      .replaceAll('http://127.0.0.1:8545', ethereum);
  }

  /** Runs a line of the README with this daemon's home and addresses instead of the default ones; never rejects. */
  async function follow(command: string): Promise<string> {
    const [program = '', ...words] = wordsOf(here(command));
    if (program === 'curl') return await curl(words);
    if (program === 'grpcurl') return await grpcurl(words);
    const env = ownEnvironment({
      CHRONICLED_NODE: daemon.endpoints.comet.replace('http', 'tcp'),
      CHRONICLED_HOME: home,
    });
    return await new Promise((resolve) => {
      execFile(process.execPath, [main, ...words.slice(1)], { env, cwd: home }, (error, stdout, stderr) =>
        resolve(`${stdout}${stderr}${error === null ? '' : `exit code ${error.code}`}`),
      );
    });
  }

  /**
   * Resolves when the transaction in a JSON-RPC answer is in a block, because the following command reads its nonce.
   */
  async function included(answer: string): Promise<void> {
    const { result }: { readonly result: string } = JSON.parse(answer);
    const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [result] });
    for (let receipt = ''; !receipt.includes('blockNumber');)
      receipt = await curl([here('http://127.0.0.1:8545'), '-H', 'content-type: application/json', '-d', question]);
  }

  // In the order of the README: balances follow from the transfers before them.
  const steps = stepsOf(readme).filter(({ language, text }) => language === 'js' || AGAINST_DAEMON.has(text));

  test('has only JavaScript blocks that this test runs', () => {
    expect(
      steps
        .filter(({ language }) => language === 'js')
        .map(({ text }) => SCRIPTS.filter(([holds]) => text.includes(holds)).length),
    ).toEqual(SCRIPTS.map(() => 1));
  });

  test.each(
    steps.map(
      ({ language, text }) => [language === 'js' ? (text.split('\n')[0] ?? '') : text, language, text] as const,
    ),
  )('%s', async (_, language, text) => {
    if (language === 'js') {
      const [, prints] = SCRIPTS.find(([holds]) => text.includes(holds)) ?? [];
      expect(here(text)).not.toBe(text);
      expect(await runModule(here(text))).toMatch(prints ?? /unknown/);
      return;
    }
    const answer = await follow(text);
    expect(answer).toMatch(AGAINST_DAEMON.get(text) ?? /unknown/);
    expect(answer).not.toMatch(/exit code \d+$/);
    if (text === SEND_BY_CURL) await included(answer);
  });

  test.each([...IN_GUIDES])('%s', async (command, answer) => expect(await follow(command)).toMatch(answer));

  test.each([...MENTIONED_AND_TRIED.values()])('%s', async (command, answer) => {
    const text = await follow(command);
    expect(text).toMatch(answer);
    expect(text).not.toMatch(/exit code \d+$/);
  });

  test('lists the paths of a home, and they exist', () => {
    const written = [...readme.matchAll(/^\| `((?:config|data|keyring-test)[^`]*)` \|/gm)].map(
      ([, path]) => path ?? '',
    );
    const made = ['config/priv_validator_key.json', 'config/node_key.json', 'data/chronicle.db', 'data/head.witness'];
    expect(made.filter((path) => !written.includes(path) || !existsSync(join(home, path)))).toEqual([]);
  });

  test('has commands that verify, show and reset a stopped home', async () => {
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const [command, answer] of ON_STOPPED_HOME) {
      const text = await follow(command);
      expect(text, command).toMatch(answer);
      expect(text, command).not.toMatch(/exit code \d+$/);
    }
    expect(existsSync(join(home, 'data', 'chronicle.db'))).toBe(false);
    expect(existsSync(join(home, 'config', 'priv_validator_key.json'))).toBe(true);
  });
});
