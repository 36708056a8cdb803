/**
 * Installs the third-party clients that `test/clients` runs against a node: `node scripts/install-clients.js
 * [folder]`. They go to a folder of their own, because they are larger than everything else that the tests need. The
 * folder is `CHRONICLED_CLIENTS`, or `~/.cache/chronicle-clients`; the tests look there, too. The packages come from
 * npm, pip, cargo and Go. The script prints what a machine cannot install; tests that need it are skipped.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = process.argv[2] ?? process.env.CHRONICLED_CLIENTS ?? join(homedir(), '.cache', 'chronicle-clients');

/** The Node.js that hardhat needs. It also runs npm, which skips packages that the present Node.js is too old for. */
const NODE = 'node@22.23.3';
const PACKAGES = [
  '@foundry-rs/anvil@1.7.1',
  '@foundry-rs/cast@1.7.1',
  '@foundry-rs/forge@1.7.1',
  '@metamask/eth-sig-util@4.0.1',
  '@nomicfoundation/hardhat-toolbox-mocha-ethers@3.0.7',
  '@nomicfoundation/hardhat-toolbox-viem@5.0.7',
  '@subsquid/evm-processor@1.27.3',
  '@tharsis/provider@0.2.4',
  '@tharsis/transactions@0.2.6',
  'hardhat@3.18.0',
  'hono@4.7.11',
  'osmojs@16.15.0',
  'ponder@1.0.0',
  'solc@0.8.30',
  'viem@2.57.20',
];
/**
 * web3.py and the packages of its test module. Newer versions of pyunormalize break the normalisation of its ENS
 * names.
 */
const WEB3_PY = ['web3==7.14.0', 'pyunormalize==16.0.0', 'pytest==9.2.0', 'pytest-asyncio==1.5.0'];
/** The library crate of cryo's Rust program. */
const CRYO = 'cryo==0.3.2';
/** `go install` refuses it, because its module has replace directives. */
const COSMOVISOR = 'cosmossdk.io/tools/cosmovisor';
const COSMOVISOR_VERSION = 'v1.5.0';
/** The consensus engine, and its program `abci-cli` that tests applications. */
const COMETBFT = 'github.com/cometbft/cometbft';
const COMETBFT_VERSION = 'v0.38.25';
const GO_ETHEREUM = 'github.com/ethereum/go-ethereum@v1.15.11';
/** Store and snapshots of SDK 0.53.6. The version of sonic is the first one that a new Go compiles. */
const SDK_STORE = [
  'cosmossdk.io/store@v1.1.2',
  'cosmossdk.io/log@v1.6.1',
  'github.com/cosmos/cosmos-db@v1.1.3',
  'github.com/cosmos/iavl@v1.2.2',
  'github.com/bytedance/sonic@v1.15.5',
];

/** Hermes, the relayer in Rust. The build of a newer version downloads keys from a host that is not a registry. */
const HERMES = 'ibc-relayer-cli';
const HERMES_VERSION = '1.10.5';

mkdirSync(join(folder, 'go'), { recursive: true });
writeFileSync(join(folder, 'package.json'), '{"name":"clients","private":true,"type":"module"}\n');
writeFileSync(join(folder, 'go', 'go.mod'), 'module client\n\ngo 1.23\n');

const npm = ['install', '--no-audit', '--no-fund', '--save-exact'];
attempt('the clients of npm', () => {
  run('npm', [...npm, NODE], folder);
  const script = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim();
  run(
    join(folder, 'node_modules', '.bin', 'node'),
    [join(script, 'npm', 'bin', 'npm-cli.js'), ...npm, ...PACKAGES],
    folder,
  );
});
attempt('web3.py', () => {
  run('python3', ['-m', 'venv', 'py'], folder);
  run(join(folder, 'py', 'bin', 'pip'), ['install', '--quiet', ...WEB3_PY], folder);
});
attempt('cryo', () => {
  run('python3', ['-m', 'venv', 'cryo'], folder);
  run(join(folder, 'cryo', 'bin', 'pip'), ['install', '--quiet', CRYO], folder);
});
attempt("go-ethereum's client", () => run('go', ['get', GO_ETHEREUM], join(folder, 'go')));
attempt("the SDK's stores", () => {
  const module = join(folder, 'sdk-store');
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, 'go.mod'), 'module client\n\ngo 1.23\n');
  run('go', ['get', ...SDK_STORE], module);
});
attempt('cosmovisor', () => {
  const module = join(folder, 'cosmovisor');
  mkdirSync(module, { recursive: true });
  const program = `${COSMOVISOR}/cmd/cosmovisor`;
  writeFileSync(
    join(module, 'go.mod'),
    `module cosmovisor\n\ngo 1.22\n\nrequire ${COSMOVISOR} ${COSMOVISOR_VERSION}\n`,
  );
  writeFileSync(join(module, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${program}"\n`);
  run('go', ['mod', 'tidy'], module);
  run('go', ['build', '-o', 'cosmovisor', program], module);
});
for (const program of ['cmd/cometbft', 'abci/cmd/abci-cli'])
  attempt(program, () =>
    run('go', ['install', `${COMETBFT}/${program}@${COMETBFT_VERSION}`], folder, { GOBIN: join(folder, 'bin') }),
  );
attempt('Hermes', () =>
  run(
    'cargo',
    ['install', '--locked', '--debug', '--version', HERMES_VERSION, '--root', join(folder, 'hermes'), HERMES],
    folder,
  ),
);
process.stdout.write(`CHRONICLED_CLIENTS=${folder} npx vitest run test/clients test/network\n`);

function attempt(what, install) {
  try {
    install();
    process.stdout.write(`installed: ${what}\n`);
  } catch (error) {
    process.stdout.write(`not installed: ${what}: ${error.message}\n`);
  }
}

function run(program, args, cwd, env = {}) {
  execFileSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}
