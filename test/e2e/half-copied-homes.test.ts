/** Homes that were copied in part: every command that opens one names the damage in a line, and changes no byte. */
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';

/** Removes a part of a database. */
const PARTS: Readonly<Record<string, (database: string) => void>> = {
  'no INITIALIZED marker': (database) => rmSync(join(database, 'INITIALIZED')),
  'no file': (database) => {
    rmSync(database, { recursive: true });
    mkdirSync(database);
  },
  'no manifest': (database) => {
    for (const name of readdirSync(database)) if (name.startsWith('MANIFEST')) rmSync(join(database, name));
  },
};

const COMMANDS = [
  ['log', 'verify'],
  ['log', 'rebuild'],
  ['log', 'import', '-'],
  ['export'],
  ['state'],
  ['rollback'],
  ['prune', 'everything'],
  ['snapshots', 'export'],
  ['upgrade', 'rehearse', 'v2'],
  ['backup', 'never-made'],
];

/** Names and bytes of all files of a folder. A lock that comes and goes changes neither. */
function filesOf(folder: string): readonly (readonly [string, string])[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile());
  return files.map((name) => [name, readFileSync(join(folder, name), 'base64')]);
}

let lived: string;

beforeAll(async () => {
  const daemon = await startDaemonProcess();
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
  lived = daemon.home;
});

describe.each(Object.keys(PARTS))('a home whose database has %s', (part) => {
  const damaged = (): string => {
    const home = join(temporaryFolder(), 'home');
    cpSync(lived, home, { recursive: true });
    PARTS[part]?.(join(home, 'data', 'chronicle.db'));
    return home;
  };

  it('is refused as damaged by each command', async () => {
    const home = damaged();
    const before = filesOf(home);
    for (const command of COMMANDS) {
      const ended = await chronicledHere([...command, '--home', home]);
      const name = command.join(' ');
      expect(ended, name).toMatchObject({ code: 6, stdout: '' });
      expect(ended.stderr, name).toMatch(/^E_LOG_CORRUPT: /);
      expect(ended.stderr, name).not.toMatch(/^\s+at /m);
    }
    expect(filesOf(home)).toEqual(before);
    expect([existsSync('never-made'), existsSync('never-made.unfinished')]).toEqual([false, false]);
  });

  it.each([
    ['--mining', 'manual'],
    ['--branch', '1'],
  ])('is refused by `dev %s`', async (...flags) => {
    const home = damaged();
    const before = filesOf(home);
    const ended = await chronicled(['dev', ...flags, '--port-base', '0', '-q', '--home', home]);
    expect(ended).toMatchObject({ code: 6, stdout: '' });
    expect(ended.stderr).toMatch(/^E_LOG_CORRUPT: /);
    expect(filesOf(home)).toEqual(before);
  });
});

it('a node refuses a home whose database is gone, and makes no new one', async () => {
  const home = join(temporaryFolder(), 'home');
  cpSync(lived, home, { recursive: true });
  rmSync(join(home, 'data', 'chronicle.db'), { recursive: true });
  const before = filesOf(home);
  const ended = await chronicled(['dev', '--port-base', '0', '-q', '--home', home]);
  expect(ended).toMatchObject({ code: 6, stderr: expect.stringContaining('were acknowledged, the database is gone') });
  expect(filesOf(home)).toEqual(before);
});
