/** Compilers found on the machine; here they are scripts that answer like solc. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { machineCompilers } from '../../../src/node/verification/compilers.js';
import { temporaryFolder } from '../../support/temporary.js';

/** A script that says which version it is, and answers its name, its input and its working directory. */
function compiler(file: string, version: string, body = ''): void {
  mkdirSync(dirname(file), { recursive: true });
  const answer = `process.stdout.write(JSON.stringify({ by: ${JSON.stringify(version)}, input: JSON.parse(require('fs').readFileSync(0, 'utf8')), files: require('fs').readdirSync('.') }))`;
  writeFileSync(
    file,
    `#!${process.execPath}\nif (process.argv[2] === '--version') process.stdout.write('solc\\nVersion: ${version}.Linux.g++\\n');\nelse { ${body === '' ? answer : body} }\n`,
  );
  chmodSync(file, 0o755);
}

test('a compiler of the requested version is found in PATH and in the folders of foundry and hardhat', async () => {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  compiler(join(bin, 'solc'), '0.8.30+commit.73712a01');
  compiler(join(home, '.svm', '0.8.19', 'solc-0.8.19'), '0.8.19+commit.7dd6d404');
  compiler(
    join(home, '.cache', 'hardhat-nodejs', 'compilers-v2', 'linux-amd64', 'solc-linux-amd64-v0.8.4'),
    '0.8.4+commit.c7e474f2',
  );
  const before = new Set(readdirSync(tmpdir()).filter((name) => name.startsWith('chronicle-solc-')));
  const compile = machineCompilers({ PATH: bin }, home);
  for (const version of ['0.8.30+commit.73712a01', '0.8.19', '0.8.4+commit.c7e474f2'])
    expect(await compile(version, { language: 'Solidity' })).toMatchObject({
      ok: true,
      output: { by: expect.stringContaining(version), input: { language: 'Solidity' }, files: [] },
    });
  for (const version of ['0.8.31', '0.8.30+commit.00000000'])
    expect(await compile(version, {})).toMatchObject({
      ok: false,
      code: 'compiler_not_found',
      message: expect.stringContaining('nothing is downloaded'),
    });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('chronicle-solc-') && !before.has(name))).toEqual([]);
});

test('a compiler does not get this program’s environment, which may hold a mnemonic', async () => {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  compiler(join(bin, 'solc'), '0.8.30+commit.73712a01', 'process.stdout.write(JSON.stringify(process.env))');
  const env = { PATH: bin, LANG: 'C', CHRONICLED_MNEMONIC: 'test test junk' };
  expect(await machineCompilers(env, home)('0.8.30', {})).toEqual({ ok: true, output: { PATH: bin, LANG: 'C' } });
});

test('a compiler that fails is reported with its exit code', async () => {
  const home = temporaryFolder();
  compiler(join(home, 'bin', 'solc'), '0.8.30+commit.73712a01', 'process.exit(3)');
  const compile = machineCompilers({ PATH: join(home, 'bin') }, home);
  expect(await compile('0.8.30', {})).toEqual({
    ok: false,
    code: 'compiler_error',
    message: 'the compiler ended with 3',
  });
});

test('a compiler that writes endlessly is killed, though its child process holds its output open', async () => {
  const home = temporaryFolder();
  compiler(
    join(home, 'bin', 'solc'),
    '0.8.30+commit.73712a01',
    `require('child_process').spawn('sleep', ['20'], { stdio: 'inherit' });
    const write = () => { while (process.stdout.write(Buffer.alloc(1 << 20))); process.stdout.once('drain', write); };
    write();`,
  );
  const compile = machineCompilers({ PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter) }, home);
  const { compilerOutputBytes: most } = FIXED_LIMITS;
  expect(await compile('0.8.30', {})).toEqual({
    ok: false,
    code: 'compiler_error',
    message: `limit compilerOutputBytes (${most}) exceeded`,
  });
}, 10_000);
