/** `log rebuild`: the database of a stopped home is rebuilt from its log alone. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyValue, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { SECTION } from '../../src/store/codec/sections.js';
import { PREFIX } from '../../src/store/keys.js';
import { decodeVersion } from '../../src/store/state/version-row.js';
import { toTimeNs } from '../../src/core/primitives.js';
import { deriveDatabase, wholeLogOf } from '../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../src/runtime/rebuild/host-rows.js';
import { progressLine } from '../../src/cli/daemon/progress-line.js';
import { verifyDatabase, type Verified } from '../../src/runtime/rebuild/verify-database.js';
import { MemoryStore } from '../support/memory-store.js';
import { tableOf } from '../../src/store/rows/tables.js';
import { crypto } from '../core/app/support.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { allRows, asText, livedHome, damageRows } from '../support/lived-home.js';
import { temporaryFolder } from '../support/temporary.js';
import { call } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { signedEither } from './load.js';

let lived: string;
let rows: readonly KeyValue[];

beforeAll(async () => {
  lived = await livedHome();
  rows = await allRows(lived);
}, 120_000);

function copyOfLived(): string {
  const home = temporaryFolder();
  cpSync(lived, home, { recursive: true });
  return home;
}

const prefixOf = ({ key }: KeyValue): number => key[0] ?? 0;
/** These rows change at each opening (verified part of the log) and at each sync (durable part of the log). */
const BOOKKEEPING: readonly number[] = [PREFIX.verified, PREFIX.durable];
const isBookkeeping = (row: KeyValue): boolean => BOOKKEEPING.includes(prefixOf(row));
const withoutBookkeeping = (all: readonly KeyValue[]): readonly string[] =>
  asText(all.filter((row) => !isBookkeeping(row)));
const isOfLog = (row: KeyValue): boolean => prefixOf(row) === PREFIX.record;
const deletion = ({ key }: KeyValue): StoreOperation => ({ type: 'delete', key });

async function rebuilt(home: string, run = chronicledHere): Promise<unknown> {
  const ended = await run(['log', 'rebuild', '--home', home]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(join(home, 'data')).sort()).toEqual(readdirSync(join(lived, 'data')).sort());
  return JSON.parse(ended.stdout);
}

it('the home of the tests has rows in every table that a node writes', () => {
  const { once, pending, restored, evidence, blocksFloor, anchor, ...written } = PREFIX;
  const found = new Set(rows.map(prefixOf));
  for (const [name, prefix] of Object.entries(written)) expect(found, name).toContain(prefix);
  for (const prefix of [PREFIX.state + 1, PREFIX.index + 1, PREFIX.index + 2, PREFIX.index + 3])
    expect(found, `prefix ${prefix}`).toContain(prefix);
  // No command of the node asks to take effect once, older builds alone wrote pending rows, and nothing was restored.
  // A chain of one validator has no evidence (`test/runtime/chain/evidence.test.ts` makes its rows again).
  // It was not pruned.
  for (const prefix of [once, pending, restored, evidence, blocksFloor, anchor]) expect(found).not.toContain(prefix);
});

it('log rebuild writes the same rows, byte for byte, and a node starts on them', async () => {
  const home = copyOfLived();
  expect(await rebuilt(home, chronicled)).toMatchObject({ filters_at_head: [] });
  expect(withoutBookkeeping(await allRows(home))).toEqual(withoutBookkeeping(rows));
  const daemon = await startDaemonProcess({ home });
  await call(daemon.endpoints.comet, 'broadcast_tx_commit', { tx: signedEither(2, 4n).tx });
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { code, stdout } = await chronicled(['log', 'verify', '--execute', '--home', home]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
  expect(code).toBe(0);
});

it('log rebuild needs only the log: every other row may be missing', async () => {
  const home = copyOfLived();
  await damageRows(home, rows.filter((row) => !isOfLog(row)).map(deletion));
  const report = await rebuilt(home);
  const isHostRow = (row: KeyValue): boolean => isBookkeeping(row) || prefixOf(row) === PREFIX.filter;
  const kept = (all: readonly KeyValue[]): readonly string[] =>
    asText(
      all.filter(
        (row) =>
          !isHostRow(row) &&
          prefixOf(row) !== PREFIX.pool &&
          (prefixOf(row) < PREFIX.index || prefixOf(row) > PREFIX.index + 3),
      ),
    );
  const made = await allRows(home);
  expect(kept(made)).toEqual(kept(rows));
  // Filters continue from the head, and the command says which ones.
  const filters = rows
    .filter((row) => prefixOf(row) === PREFIX.filter)
    .map(({ key }) => `0x${Buffer.from(key).toString('hex').slice(2)}`);
  expect(report).toMatchObject({ filters_at_head: expect.arrayContaining(filters) });
  expect(filters.length).toBeGreaterThan(1);
  const daemon = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  for (const id of filters) {
    const changes = await callEthereum(daemon.endpoints.eth_http ?? '', 'eth_getFilterChanges', [id]);
    expect(changes).toEqual([]);
  }
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

describe('a table', () => {
  /** Tables that follow from the log, by the first byte of their keys. */
  const tables = new Set(rowsOfTables());
  const spoiled: Record<string, (table: readonly KeyValue[]) => readonly StoreOperation[]> = {
    emptied: (table) => table.map(deletion),
    'with one row removed': (table) =>
      table
        .slice(Math.floor(table.length / 2))
        .slice(0, 1)
        .map(deletion),
    'with one row changed': (table) => table.slice(-1).map(changed),
  };

  it.each(Object.keys(spoiled))(
    '%s is named by `log verify` with advice, and is rebuilt',
    async (how) => {
      const home = copyOfLived();
      for (const prefix of tables) {
        const operations = spoiled[how]?.(rows.filter((row) => prefixOf(row) === prefix)) ?? [];
        expect(operations.length, `prefix ${prefix}`).toBeGreaterThan(0);
        const { problems, head } = await verifiedInMemory(operations);
        expect(
          problems.map(({ table }) => table),
          `prefix ${prefix}`,
        ).toContain(tableOf(Uint8Array.of(prefix)));
        expect(head?.position).toBeGreaterThan(0n);
        await damageRows(home, operations);
      }
      const verified = await chronicledHere(['log', 'verify', '--home', home, '-o', 'text']);
      expect(verified.code).toBe(6);
      expect(verified.stdout).toContain('chronicled log rebuild');
      for (const prefix of tables)
        expect(verified.stdout).toContain(`in table ${tableOf(Uint8Array.of(prefix))} at key`);
      await rebuilt(home);
      expect(await chronicledHere(['log', 'verify', '--home', home])).toMatchObject({ code: 0, stderr: '' });
    },
    60_000,
  );
});

describe('the start of a node', () => {
  const stateRows = (): readonly KeyValue[] => rows.filter((row) => prefixOf(row) === PREFIX.state);
  /** Without marks of deletions, which the trees do not hold. */
  const someValue = (): readonly KeyValue[] =>
    stateRows()
      .filter(({ value }) => decodeVersion(value).value !== undefined)
      .slice(40, 41);

  it.each<[string, () => readonly StoreOperation[]]>([
    ['a state without rows', () => stateRows().map(deletion)],
    ['a state that lost one row', () => someValue().map(deletion)],
    [
      'a state with another value',
      () => someValue().map(({ key, value }) => ({ type: 'put', key, value: Uint8Array.from([...value, 1]) })),
    ],
    [
      'no row for the block at the head',
      () =>
        rows
          .filter((row) => prefixOf(row) === PREFIX.height)
          .slice(-1)
          .map(deletion),
    ],
    ['no validators', () => rows.filter((row) => prefixOf(row) === PREFIX.history).map(deletion)],
  ])('refuses %s with advice, and writes nothing', async (_, spoiling) => {
    const home = copyOfLived();
    await damageRows(home, spoiling());
    const before = withoutBookkeeping(await allRows(home));
    const ended = await chronicled(['dev', '--home', home, '--port-base', '0', '-q', '--app-version', 'v2']);
    expect(ended).toMatchObject({ code: 6, stderr: expect.stringContaining('E_LOG_CORRUPT') });
    expect(ended.stderr).toContain('chronicled log rebuild');
    expect(withoutBookkeeping(await allRows(home))).toEqual(before);
  });
});

function rowsOfTables(): readonly number[] {
  const { head, height, blockHash, txHash, state, index, history, pool, filter, checkpoint, dev } = PREFIX;
  return [head, height, blockHash, txHash, state, state + 1, index, index + 1, index + 2, index + 3].concat([
    history,
    pool,
    filter,
    checkpoint,
    dev,
  ]);
}

/** Another value, of the same length if possible. */
function changed({ key, value }: KeyValue): StoreOperation {
  const other = value.length === 0 ? Uint8Array.of(1) : Uint8Array.from(value);
  if (value.length > 0) other[0] = (other[0] ?? 0) ^ 1;
  return { type: 'put', key, value: other };
}

it('log rebuild shows a progress bar at a terminal, which never goes back', async () => {
  const store = new MemoryStore();
  await store.commit(rows.map(({ key, value }) => ({ type: 'put', key, value })));
  const shown: string[] = [];
  const bar = progressLine(
    { stdout: () => undefined, stderr: () => undefined, status: (line) => shown.push(line) },
    'rebuilding',
  );
  const parts: number[] = [];
  await deriveDatabase({
    log: await wholeLogOf({ store, crypto, witnessed: undefined }),
    host: readHostRows(store, toTimeNs(0n)),
    target: new MemoryStore(),
    crypto,
    progress(part) {
      parts.push(part);
      bar?.(part);
    },
  });
  expect(parts).toEqual([...parts].sort((one, other) => one - other));
  expect([(parts[0] ?? 1) < 0.1, parts.at(-1)]).toEqual([true, 1]);
  // Each percentage once, and an empty line at the end that removes the bar.
  expect(shown.at(-1)).toBe('');
  const percents = shown.slice(0, -1).map((line) => Number(/^rebuilding [#.]{25} (\d+) %$/.exec(line)?.[1]));
  expect(percents).toEqual([...new Set(percents)].sort((one, other) => one - other));
  expect(percents.length).toBeGreaterThan(20);
  expect(progressLine({ stdout: () => undefined, stderr: () => undefined }, 'rebuilding')).toBeUndefined();
});

/** Findings of `log verify` in the rows of the lived home after some operations. */
async function verifiedInMemory(operations: readonly StoreOperation[]): Promise<Verified> {
  const store = new MemoryStore();
  await store.commit(rows.map(({ key, value }) => ({ type: 'put', key, value })));
  await store.commit(operations);
  return verifyDatabase({ store, target: new MemoryStore(), crypto, now: toTimeNs(0n), witnessed: undefined });
}

describe('log rebuild refuses', () => {
  it('a damaged log, and leaves the home unchanged', async () => {
    const home = copyOfLived();
    const records = rows.filter(isOfLog);
    // No other row is distinguished from results.
    const row = records.find(({ key }, at) => at > records.length / 2 && key.at(-1) === SECTION.results);
    if (row === undefined) throw new Error('the log has rows');
    await damageRows(home, [deletion(row)]);
    const ended = await chronicled(['log', 'rebuild', '--home', home]);
    expect(ended).toMatchObject({ code: 6, stderr: expect.stringContaining('E_LOG_CORRUPT') });
    expect(asText((await allRows(home)).filter(isOfLog))).toEqual(asText(records.filter((one) => one !== row)));
  });

  it('a truncated log', async () => {
    const home = copyOfLived();
    const [last] = rows.filter(isOfLog).toReversed();
    const record = rows.filter((row) =>
      Buffer.from(row.key.subarray(0, 9)).equals(last?.key.subarray(0, 9) ?? row.key),
    );
    await damageRows(home, record.map(deletion));
    const ended = await chronicledHere(['log', 'rebuild', '--home', home]);
    expect(ended).toMatchObject({ code: 6, stderr: expect.stringContaining('the log ends at') });
  });

  it('the home of a running node, and a home without a chain', async () => {
    const daemon = await startDaemonProcess();
    expect((await chronicledHere(['log', 'rebuild', '--home', daemon.home])).code).toBe(5);
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await chronicledHere(['log', 'rebuild', '--home', temporaryFolder()])).code).toBe(10);
  });
});

describe('a killed log rebuild', () => {
  it.each(['store-before-rename', 'store-after-rename', 'replace-before', 'replace-between', 'replace-after'])(
    'leaves at %s the old or the new database, on which a node starts and a rebuild succeeds',
    async (point) => {
      const home = copyOfLived();
      const killed = await chronicled(['log', 'rebuild', '--home', home], {
        env: { CHRONICLED_FAIL: `${point}:kill` },
      });
      expect(killed.code).toBe(-1);
      const started = temporaryFolder();
      cpSync(home, started, { recursive: true });
      await rebuilt(home);
      expect(withoutBookkeeping(await allRows(home))).toEqual(withoutBookkeeping(rows));
      const daemon = await startDaemonProcess({ home: started, args: ['--mining', 'manual'] });
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(existsSync(join(started, 'data', 'chronicle.db.replaced'))).toBe(false);
      expect(readdirSync(join(started, 'data')).sort()).toEqual(readdirSync(join(lived, 'data')).sort());
      const verified = await chronicledHere(['log', 'verify', '--home', started]);
      expect(verified).toMatchObject({ code: 0 });
    },
  );
});
