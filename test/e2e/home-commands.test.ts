/** Commands that read or fill a home, each once in its own process. Other tests run them inside the test process. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { temporaryFolder } from '../support/temporary.js';

/** A home with three blocks; the second one has a transfer. */
const HOME = fileURLToPath(new URL('../fixtures/homes/format-1.tar.gz', import.meta.url));
const LISTED = 'height: 3 format: 3 chunks: 1\n';

let home: string;

beforeAll(() => {
  home = temporaryFolder();
  execFileSync('tar', ['xzf', HOME, '-C', home]);
});

/** Standard output of a process that exits with 0 and writes nothing to standard error. */
async function printed(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await chronicled(args, input === undefined ? {} : { input });
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return stdout;
}

it('state prints the rows of a height', async () => {
  expect(await printed(['state', '--at', '2', '--store', 'feemarket', '--home', home])).toMatch(
    /^feemarket: gas wanted by the block 21000\nfeemarket: params no_base_fee=false [^\n]*\n$/,
  );
});

it('log diff prints the state changes between two heights', async () => {
  const receiver = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
  const changed = await printed(['log', 'diff', '1', '2', '--store', 'bank', '--home', home]);
  expect(changed).toContain(`\nbank: ${receiver} achr 10000000000000000000000 -> 10000000000000000000007\n`);
});

it('log import creates a home from standard input', async () => {
  const lines = await printed(['log', 'export', '--home', home]);
  const copy = temporaryFolder();
  expect(JSON.parse(await printed(['log', 'import', '--home', copy], lines))).toEqual({
    records: 6,
    position: '9',
    height: '3',
  });
  expect(await printed(['log', 'export', '--home', copy])).toBe(lines);
});

it('snapshots are taken, listed, dumped to an archive, and loaded from it into another home', async () => {
  expect(await printed(['snapshots', 'export', '--home', home])).toBe(
    'Exporting snapshot for height 3\nSnapshot created at height 3, format 3, chunks 1\n',
  );
  expect(await printed(['snapshots', 'list', '--home', home])).toBe(LISTED);
  const archive = join(temporaryFolder(), 'snapshot.tar.gz');
  expect(await printed(['snapshots', 'dump', '3', '3', '-o', archive, '--home', home])).toBe('');
  const other = temporaryFolder();
  expect(await printed(['snapshots', 'load', archive, '--home', other])).toBe(LISTED);
  expect(await printed(['snapshots', 'list', '--home', other])).toBe(LISTED);
  const chunk = join('data', 'snapshots', '3', '0');
  expect(readFileSync(join(other, chunk))).toEqual(readFileSync(join(home, chunk)));
});
