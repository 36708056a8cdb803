/** `docs/FIRST-HOUR.md` in an empty folder: its files are written, its commands are run, and each step is timed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENTS, isInstalled } from '../clients/clients.js';
import { wordsOf } from '../house/markdown.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { afterwards, removeFolder, temporaryFolder } from '../support/temporary.js';
import { packed, root } from './installed-package.js';

const HOUR_MS_MAX = 600_000;
const STEP_MS_MAX = 300_000;
const hasClients = isInstalled('hardhat', 'node_modules/hardhat/package.json');

type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly text: string };

/** Steps of the page in order. A code block is the content of the file that its paragraph names at the start. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/(?:^`([\w./]+)`.*\n(?:.+\n)*\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, path, language, text = '']): readonly Step[] =>
      language === 'sh'
        ? text.split('\n').flatMap((line) => (line === '' ? [] : [{ kind: 'command', text: line }]))
        : path === undefined
          ? []
          : [{ kind: 'file', path, text }],
  );
}

/** Output that a command must print. */
const PRINTS: readonly (readonly [begin: string, prints: RegExp])[] = [
  ['curl -s http://127.0.0.1:8545/faucet', /"hash":"0x[0-9a-f]{64}"/],
  ['npx hardhat test ./test/staker.ts', /1 passing/],
  ['npx hardhat test', /2 passing/],
  ['npx hardhat ignition', /successfully deployed|Counter#Counter - 0x/],
  ['npx cast send', /status +1 \(success\)/],
  ['npx cast balance', /^1?\d{20,21}\n/],
  ['npx chronicled query bank balances', /amount: "\d{20,21}"/],
  ['curl -s http://127.0.0.1:1317', /"denom":"achr"/],
  ['npx cast call', /^9997\d{18} /],
  // the foundry client delegates
  ['npx chronicled query staking delegations dev3', hasClients ? /amount: "2000000000000000000"/ : /pagination/],
  ['npx chronicled query staking delegations', /amount: "100000000000000000000"/],
  ['npx chronicled query distribution rewards', /total:\n- [1-9]\d*\.\d+achr/],
  ['npx chronicled query gov proposal', /status: PROPOSAL_STATUS_PASSED/],
  ['npx chronicled query staking validator dev2', /jailed: true[\s\S]*tokens: "4950000000000000000"/],
  ['npx chronicled query staking validators', /^(?!.*jailed: true)(?=.*moniker: second)/s],
  ['npx chronicled query evidence list', /consensus_address: chronvalcons/],
  ['npx chronicled query slashing signing-infos', /tombstoned: true/],
];
/** How the page calls the command line of the package. */
const OF_PACKAGE = 'npx chronicled ';
/** Commands of packages that are not installed for every run of the tests. */
const OF_CLIENTS = /^npx (hardhat|cast|forge)\b/;

describe('docs/FIRST-HOUR.md', () => {
  test(
    'has the described result in every step',
    async () => {
      const page = readFileSync(join(root, 'docs', 'FIRST-HOUR.md'), 'utf8');
      const folder = hasClients
        ? join(CLIENTS, 'runs', temporaryFolder().split('/').at(-1) ?? 'hour')
        : temporaryFolder();
      afterwards(() => removeFolder(folder));
      mkdirSync(folder, { recursive: true });
      const tarball = await packed();
      let daemon: DaemonProcess | undefined;
      const here = (text: string): string => {
        const { eth_http: ethereum = '', rest = '' } = daemon?.endpoints ?? {};
        return text.replaceAll('http://127.0.0.1:8545', ethereum).replaceAll('http://127.0.0.1:1317', rest);
      };
      const followed: string[] = [];
      for (const step of stepsOf(page)) {
        if (step.kind === 'file') {
          mkdirSync(dirname(join(folder, step.path)), { recursive: true });
          writeFileSync(join(folder, step.path), withCompiler(here(step.text)));
          continue;
        }
        const { text } = step;
        const started = performance.now();
        if (text === 'npx chronicled dev') {
          daemon = await startDaemonProcess({
            program: join(folder, 'node_modules', 'chronicled', 'dist', 'node', 'main.js'),
            home: join(folder, '.chronicle'),
          });
        } else if (text.startsWith('npm install') && !text.includes('chronicled')) {
          // scripts/install-clients.js installed these packages in a parent folder.
          continue;
        } else if (OF_CLIENTS.test(text) && !hasClients) {
          process.stdout.write(`skipped, because the package is not installed here: ${text}\n`);
          continue;
        } else {
          // npx takes longer than the command that it starts; after its first run, its link is called directly.
          const isKnown = followed.some((one) => one.startsWith(OF_PACKAGE));
          const typed = isKnown ? text.replace(OF_PACKAGE, './node_modules/.bin/chronicled ') : text;
          const output = await run(here(typed.replace(/ chronicled$/, ` ${tarball}`)), folder, daemon);
          const [, prints = /(?:)/] = PRINTS.find(([begin]) => text.startsWith(begin)) ?? [];
          expect(output, text).toMatch(prints);
        }
        followed.push(text);
        process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(1)} s  ${text}\n`);
      }
      for (const [begin] of PRINTS.filter(([one]) => hasClients || !OF_CLIENTS.test(one)))
        expect(followed.filter((text) => text.startsWith(begin)).length, begin).toBeGreaterThan(0);
    },
    HOUR_MS_MAX,
  );
});

/** hardhat would download its compiler; the compiler of the clients replaces it. */
function withCompiler(text: string): string {
  const path = join(CLIENTS, 'node_modules', 'solc', 'soljson.js');
  return text.replace("solidity: '0.8.30'", `solidity: { compilers: [{ version: '0.8.30', path: '${path}' }] }`);
}

/** Output of a command of the page; rejects when it fails. */
function run(command: string, cwd: string, daemon: DaemonProcess | undefined): Promise<string> {
  const [program = '', ...words] = wordsOf(command);
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV'),
  );
  const env = {
    ...own,
    PATH: [join(CLIENTS, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter),
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: 'true',
    ...(daemon && {
      CHRONICLED_NODE: daemon.endpoints.comet.replace('http', 'tcp'),
      CHRONICLED_ETH_NODE: daemon.endpoints.eth_http ?? '',
    }),
  };
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { cwd, env, timeout: STEP_MS_MAX }, (error, stdout, stderr) =>
      error === null ? resolve(`${stdout}${stderr}`) : reject(new Error(`${command}: ${error.message}\n${stdout}`)),
    );
    child.stdin?.end();
  });
}
