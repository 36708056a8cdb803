/** `log export`, `log import` and `log show`: a log as lines of JSON. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PREFIX } from '../../src/store/keys.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { allRows, asText, livedHome } from '../support/lived-home.js';
import { temporaryFolder } from '../support/temporary.js';
import { ACCOUNTS } from './load.js';

let lived: string;
let lines: readonly string[];

beforeAll(async () => {
  lived = await livedHome();
  lines = (await exported(lived)).trimEnd().split('\n');
}, 120_000);

/** Name, mode, time of the last change and bytes of every file of a home. */
function filesOf(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, mtimeNs, ctimeNs } = statSync(join(home, name), { bigint: true });
      const isFile = statSync(join(home, name)).isFile();
      // Creating and removing a link to a file changes only the ctime of the file.
      const changed = /\.(ldb|sst)$/.test(name) ? mtimeNs : ctimeNs;
      return `${name} ${mode} ${changed} ${isFile ? readFileSync(join(home, name), 'base64') : ''}`;
    });
}

it('log export and log show read a temporary copy: the home does not change, and no copy is left', async () => {
  // The state after a kill.
  const home = temporaryFolder();
  cpSync(lived, home, { recursive: true });
  writeFileSync(join(home, 'data', 'chronicle.db.lock'), JSON.stringify({ pid: 2 ** 22 + 1, start: 'gone' }));
  const before = filesOf(home);
  const temporary = temporaryFolder();
  for (const args of [['log', 'show'], ['log', 'verify', '--execute'], ['log', 'export'], ['export']]) {
    const ended = await chronicled([...args, '--home', home], { env: { TMPDIR: temporary } });
    expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf(home), args.join(' ')).toEqual(before);
    expect(readdirSync(temporary), args.join(' ')).toEqual([]);
  }
});

async function exported(home: string, ...range: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'log.ndjson');
  const ended = await chronicledHere(['log', 'export', '--home', home, '--output-document', file, ...range]);
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  return readFileSync(file, 'utf8');
}

function imported(home: string, text: string): ReturnType<typeof chronicledHere> {
  const file = join(temporaryFolder(), 'log.ndjson');
  writeFileSync(file, text);
  return chronicledHere(['log', 'import', file, '--home', home]);
}

async function recordsOf(home: string): Promise<readonly string[]> {
  return asText((await allRows(home)).filter(({ key }) => key[0] === PREFIX.record));
}

it('log import writes the same bytes into an empty home, and log verify finds no problem', async () => {
  const home = temporaryFolder();
  const whole = `${lines.join('\n')}\n`;
  const ended = await imported(home, whole);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ records: lines.length });
  expect(await exported(home)).toBe(whole);
  expect(await recordsOf(home)).toEqual(await recordsOf(lived));
  expect(await chronicledHere(['log', 'verify', '--execute', '--home', home])).toMatchObject({ code: 0, stderr: '' });
  expect(await chronicledHere(['log', 'export', '--home', home])).toMatchObject({ code: 0, stdout: whole });
});

it('ranges of an exported log are imported one after the other, and again without effect', async () => {
  const positions = lines.map((line): bigint => BigInt(JSON.parse(line).position));
  const middle = positions[Math.floor(positions.length / 2)] ?? 1n;
  const first = await exported(lived, '--to', String(middle - 1n));
  const second = await exported(lived, '--from', String(middle));
  expect(`${first}${second}`).toBe(`${lines.join('\n')}\n`);
  const home = temporaryFolder();
  expect((await imported(home, second)).stderr).toMatch(/^line 1: position \d+ does not follow position 0\n$/);
  expect((await imported(home, first)).code).toBe(0);
  expect((await imported(home, second)).code).toBe(0);
  rmSync(join(home, 'data', 'head.witness'));
  const names = readdirSync(join(home, 'data'));
  expect((await imported(home, 'x')).code).toBe(1);
  expect(readdirSync(join(home, 'data'))).toEqual(names);
  const rows = asText(await allRows(home));
  expect((await imported(home, first)).code).toBe(0);
  expect(asText(await allRows(home)).length).toBe(rows.length);
  expect(await recordsOf(home)).toEqual(await recordsOf(lived));
  expect(await chronicledHere(['log', 'verify', '--home', home])).toMatchObject({ code: 0, stderr: '' });
});

it('log export creates missing folders, and names a path that is not a file', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'new', 'log.ndjson');
  expect(await chronicledHere(['log', 'export', '--home', lived, '--output-document', file])).toMatchObject({
    code: 0,
  });
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(lines);
  const named = {
    code: 3,
    stderr: expect.stringMatching(`^E_UNWRITABLE: ${folder} cannot be written: it is a folder`),
  };
  for (const command of [['log', 'export'], ['export']])
    expect(await chronicledHere([...command, '--home', lived, '--output-document', folder])).toMatchObject(named);
  expect(existsSync(`${folder}.tmp`)).toBe(false);
  expect(await chronicledHere(['log', 'import', folder, '--home', temporaryFolder()])).toMatchObject({
    code: 10,
    stderr: `no such file: ${folder}\n`,
  });
});

it('log import and log show count empty lines in the number of a refused line', async () => {
  const text = `\n${lines[0]}\n\r\n\nno record\n`;
  const stderr = 'line 5: not a record line\n';
  expect(await imported(temporaryFolder(), text)).toEqual({ code: 1, stdout: '', stderr });
  const file = join(temporaryFolder(), 'log.ndjson');
  writeFileSync(file, text);
  expect(await chronicledHere(['log', 'show', file])).toMatchObject({ code: 1, stderr });
});

it('log import refuses a changed line by its number, and imports nothing', async () => {
  const home = join(temporaryFolder(), 'new');
  // The fifth record depends on the speed of the node; one with state writes is changed.
  const place = lines.findIndex((line, index) => index > 0 && /"4":"......../.test(line));
  expect(place).toBeGreaterThan(0);
  const changes: readonly ((line: string) => string)[] = [
    (line) => line.replace('"events":[', '"events":["BlockDecided",'),
    (line) => line.replace(/"previous_hash":"../, '"previous_hash":"zz'),
    (line) => line.replace(/"4":"......../, '"4":"AAAAAAAA'),
    (line) => line.slice(1),
    () => '{}',
  ];
  for (const change of changes) {
    const spoiled = lines.map((line, index) => (index === place ? change(line) : line));
    expect(spoiled).not.toEqual(lines);
    const ended = await imported(home, `${spoiled.join('\n')}\n`);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(`^line ${place + 1}: `) });
    expect(existsSync(home)).toBe(false);
  }
  expect((await chronicledHere(['log', 'show', '--home', home])).code).toBe(10);
  const EMPTY =
    'the input is empty: a log export that is refused leaves an empty output, and says why on standard error\n';
  for (const text of ['', '\n\n']) expect(await imported(home, text)).toEqual({ code: 1, stdout: '', stderr: EMPTY });
  expect(existsSync(home)).toBe(false);
});

it('log show prints an exported file as it prints its log, whole or in part, without a home', async () => {
  const file = join(temporaryFolder(), 'theirs.ndjson');
  const show = (...args: readonly string[]) => chronicledHere(['log', 'show', '--limit', '9999', ...args]);
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (const args of [[], ['-o', 'text', '--height', '2'], ['--type', 'BlockDecided', '--from', '4', '--to', '7']])
    expect(await show(file, '--home', temporaryFolder(), ...args)).toEqual(await show('--home', lived, ...args));
  writeFileSync(file, lines.slice(3).join('\n'));
  const { position } = JSON.parse(lines[3] ?? '');
  expect((await show(file)).stdout).toBe((await show('--home', lived, '--from', String(position))).stdout);
  // the records before the damage are printed
  writeFileSync(file, [...lines.slice(0, 2), '{}'].join('\n'));
  expect(await show(file, '-o', 'text')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ {5}1 {2}/),
    stderr: 'line 3: not a record line\n',
  });
  expect(await show(`${file}.none`)).toMatchObject({ code: 10, stderr: `no such file: ${file}.none\n` });
  expect((await show(file, '--follow')).code).toBe(2);
});

it('log show filters by type, height and transaction, and log diff prints the changes between heights', async () => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await chronicledHere([...args, '--home', lived]);
    expect([code, stderr.replace(/^there (are|may be) more.*\n/, '')]).toEqual([0, '']);
    return stdout;
  };
  const text = await run('log', 'show', '-o', 'text', '--limit', '1');
  expect(text).toMatch(/^ {5}1 {2}\d{4}-\S+Z {2}chain {4}chain chronicle_271828-1 started, preset chronicle\n$/);
  const [first = ''] = (await run('log', 'show', '--type', 'BlockDecided', '--limit', '1')).split('\n');
  const { height } = JSON.parse(first).data;
  const decided = await run('log', 'show', '-o', 'text', '--type', 'BlockDecided', '--height', height);
  expect(decided).toContain(`chain    block ${height} decided, `);
  expect(decided).toMatch(/^ *\d+ {2}\S+ {2}chain {4}block \d+ decided, \d+ transactions?\n$/);
  const admitted = await run('log', 'show', '--type', 'TxAdmitted', '--limit', '1');
  const { hash } = JSON.parse(admitted).data.tx;
  const ofTx = (await run('log', 'show', '--tx', hash)).trimEnd().split('\n');
  expect(ofTx.map((line) => JSON.parse(line).type)).toEqual(['TxAdmitted', 'BlockDecided']);

  const changed = await run('log', 'diff', height, 'latest', '--store', 'bank');
  expect(changed).toMatch(/^bank: supply achr \d+ -> \d+$/m);
  expect(await run('log', 'diff', 'latest', 'latest')).toBe('');
  expect(await run('state', '--at', height, '--store', 'bank', '--limit', '1')).toMatch(/^bank: supply achr \d+\n$/);
  const refused = await chronicledHere(['log', 'diff', height, '@99999', '--home', lived]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('position 99999 is not between 1 and') });
  for (const command of [['log', 'diff', height, 'latest'], ['state']])
    expect(await chronicledHere([...command, '--store', 'nonsense', '--home', lived])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no store has the name "nonsense"'),
    });
});

it('log show prints blocks, results, and Ethereum and Cosmos transactions in words', async () => {
  const ended = await chronicledHere(['log', 'show', '--home', lived, '--limit', '10000']);
  expect(ended.code).toBe(0);
  const events = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  expect(ofType('ChainStarted')).toMatchObject([{ genesis: { chain_id: 'chronicle_271828-1' } }]);
  const admitted = ofType('TxAdmitted').map(({ tx }) => tx);
  const sender = ACCOUNTS[1]?.hex.toLowerCase();
  expect(admitted).toContainEqual({
    hash: expect.stringMatching(/^[0-9A-F]{64}$/),
    ethereum: expect.objectContaining({ from: sender, nonce: '0x0', hash: expect.stringMatching(/^0x/) }),
  });
  expect(admitted).toContainEqual({
    hash: expect.stringMatching(/^[0-9A-F]{64}$/),
    cosmos: expect.objectContaining({
      body: expect.objectContaining({
        messages: [
          expect.objectContaining({ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: ACCOUNTS[0]?.bech32 }),
        ],
      }),
    }),
  });
  const blocks = ofType('BlockDecided').filter(({ block }) => block.data.txs.length > 0);
  expect(blocks[0]).toMatchObject({ block: { header: { chain_id: 'chronicle_271828-1' } }, commit: { round: 0 } });
  expect(admitted).toContainEqual(blocks[0].block.data.txs[0]);
  const results = ofType('BlockExecuted').filter(({ results: { tx_results: txs } }) => txs?.length > 0);
  expect(results[0].results.tx_results[0]).toMatchObject({
    code: 0,
    events: expect.arrayContaining([{ type: 'tx', attributes: expect.anything() }]),
  });
});
