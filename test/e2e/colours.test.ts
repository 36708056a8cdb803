/** Colours on a terminal, which `script` of util-linux simulates. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { PROGRAM, temporaryFolder } from '../support/daemon.js';

const SCRIPT = ['/usr/bin/script', '/bin/script'].find((path) => existsSync(path));
if (SCRIPT === undefined || process.platform !== 'linux')
  process.stdout.write('there is no `script` of util-linux here: the test of colours is skipped\n');

/** Output of a node to a terminal until the text `last` comes, by default its second block, with `env`. */
async function written(
  env: Readonly<Record<string, string>>,
  columns = 120,
  more: readonly string[] = [],
  last = /Ready in[^]*blocks \d+ to \d+ empty/,
  onReady: (text: string) => void = () => undefined,
): Promise<string> {
  const folder = temporaryFolder();
  const words = [
    process.execPath,
    PROGRAM,
    'dev',
    '--home',
    join(folder, 'home'),
    '--port-base',
    '0',
    '--block-time',
    '0.2',
    ...more,
  ];
  const { NO_COLOR: _, ...own } = process.env;
  const child = spawn(
    SCRIPT ?? '',
    ['-qefc', `stty cols ${columns} && ${words.map((word) => `'${word}'`).join(' ')}`, '/dev/null'],
    {
      env: { ...own, TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let text = '';
  let isReady = false;
  const closed = once(child, 'close');
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (!isReady && text.includes('Ready in')) {
      isReady = true;
      onReady(text);
    }
    // Ctrl+C, as a user stops a node
    if (last.test(text)) child.stdin.end('\u0003');
  });
  await closed;
  return text;
}

/** ANSI sequences that set colours or other text styles (ECMA-48 8.3.117), but not those that clear a line. */
// oxlint-disable-next-line no-control-regex
const LOOKS = /\u001b\[\d+m/;

it.skipIf(SCRIPT === undefined || process.platform !== 'linux')(
  'a terminal has colours, with NO_COLOR and on a dumb one it has none',
  async () => {
    const [coloured, plain, dumb] = await Promise.all([
      written({}),
      written({ NO_COLOR: '1' }),
      written({ TERM: 'dumb' }),
    ]);
    expect(coloured).toMatch(LOOKS);
    for (const text of [plain, dumb]) {
      expect(text).toContain('Ready in');
      expect(text).not.toMatch(LOOKS);
    }
  },
);

it.skipIf(SCRIPT === undefined || process.platform !== 'linux')(
  'a terminal of 80 columns breaks the banner between its values',
  async () => {
    const text = await written({}, 80);
    const banner = text.slice(0, text.indexOf('Ready in')).split('\r\n');
    expect(banner.filter((line) => line.length > 80)).toEqual([]);
    expect(text).toMatch(/\n {2}0 {2}0xf39F\w{36}\r\n {5}chron17w0\w+\r\n/);
  },
);

it.skipIf(SCRIPT === undefined || process.platform !== 'linux')(
  'the banner of two chains begins a line, behind blocks of the relayer',
  async () => {
    const text = await written({}, 120, ['--ibc']);
    const before = text.slice(0, text.indexOf('chronicled 0.'));
    expect(before).toContain('MsgChannelOpen');
    // oxlint-disable-next-line no-control-regex
    expect(before).toMatch(/(?:\n|\r\u001b\[K)$/);
  },
);

it.skipIf(SCRIPT === undefined || process.platform !== 'linux')(
  'a line of the log at a terminal takes the place of the line of empty blocks',
  async () => {
    const schedule = (text: string): void => {
      const node = /CometBFT {2}(\S+)/.exec(text)?.[1] ?? '';
      void chronicledHere(['upgrade', 'schedule', 'v2', '--upgrade-height', '+20', '-y', '--node', node]);
    };
    const text = await written({}, 120, [], /makes no blocks now/, schedule);
    // oxlint-disable-next-line no-control-regex
    expect(text).toMatch(/empty\S*\r\u001b\[Kerror: UPGRADE "v2" NEEDED/);
    expect(text).toContain('continue with: chronicled dev --app-version v2');
  },
);
