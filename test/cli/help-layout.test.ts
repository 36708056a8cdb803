import { expect, test } from 'vitest';
import { DAEMON_ROWS } from '../../src/cli/table/daemon-rows.js';
import { TOPICS } from '../../src/cli/topics.js';
import { everyCommand } from './every-command.js';
import { runCli } from './support.js';

test('every help text fits a terminal of 80 columns, with each description whole', async () => {
  const paths = [
    ...TOPICS.map(({ path }) => path),
    ...(await everyCommand()).map(({ path }) => path),
    ...DAEMON_ROWS.map(({ path, name }) => path ?? name),
    '',
  ];
  const wide: string[] = [];
  for (const path of new Set(paths)) {
    const { code, stdout } = await runCli([...path.split(' ').filter((word) => word !== ''), '--help']);
    expect({ path, code }).toEqual({ path, code: 0 });
    const [usage = '', ...lines] = stdout.split('\n');
    expect(usage).toMatch(/^Usage: chronicled/);
    wide.push(...lines.filter((line) => line.length > 80).map((line) => `${path}: ${line}`));
  }
  expect(wide).toEqual([]);
});

test('a name longer than its column has its own line; a short one is beside its description', async () => {
  const { stdout } = await runCli(['dev', '--help']);
  expect(stdout).toMatch(/\n {2}--min-retain-blocks <blocks>\n {28}number of newest blocks to keep/);
  expect(stdout).toMatch(/\n {2}-q, --quiet {15}print no banner/);
  expect((await runCli(['query', 'bank', '--help'])).stdout).toMatch(
    /\n {2}balance <address> <denom> {3,}balance of one denom\n/,
  );
});

test('the first help text has its commands under headings, and shows first steps', async () => {
  const { stdout } = await runCli(['--help']);
  const headings = stdout.split('\n').filter((line) => /^\S.*:$/.test(line));
  expect(headings).toEqual([
    'Options:',
    'Run a node:',
    'The chain of a home:',
    'Keys, files and tools:',
    'Ask a node and send transactions:',
    'Not available yet:',
    'First steps, in two terminals:',
  ]);
});

test('a command over a home lists only its own options, and accepts all options of the daemon', async () => {
  const { stdout } = await runCli(['reset', '--help']);
  expect(stdout).toContain('--home <dir>');
  expect(stdout).toContain('-y, --yes');
  expect(stdout).not.toContain('--block-time');
  expect((await runCli(['prune', '--help'])).stdout).toContain('--min-retain-time');
  expect((await runCli(['init', '--help'])).stdout).toContain('--block-time');
  expect(await runCli(['log', 'verify', '--log_level', 'info', '--block-time', '1'])).toMatchObject({ code: 0 });
});

test('errors of the command line begin with "Error: "; completion names the known shells', async () => {
  for (const words of [
    ['devv'],
    ['dev', '--por-base', '3'],
    ['query', 'bank', 'balance', 'dev1'],
    ['keys', 'show', 'no'],
  ])
    expect((await runCli(words)).stderr, words.join(' ')).toMatch(/^Error: /);
  expect((await runCli(['completion'])).stderr).toContain('bash|zsh|fish');
});
