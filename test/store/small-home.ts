/** A small home with tables and a write-ahead log, and its check as done by the node and by `log verify`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValue } from '../../src/core/ports/key-value-store.js';
import { toHeight } from '../../src/core/primitives.js';
import { blockIndexRows } from '../../src/store/log/block-index.js';
import { hex } from '../../src/core/bytes/hex.js';
import { CorruptionError } from '../../src/store/errors.js';
import { openEventLog } from '../../src/store/log/event-log.js';
import { fileProblems, scanLevelFiles } from '../../src/store/leveldb/scan-files.js';
import { type LevelStoreOptions, openLevelStore } from '../../src/store/leveldb/level-store.js';
import { openFileWitness } from '../../src/store/log/witness.js';
import { temporaryFolder } from '../support/temporary.js';
import {
  admitted,
  blockHash,
  chainStarted,
  crypto,
  decided,
  executed,
  steppingClock,
  text,
  txHash,
} from './support.js';

/** Makes the home in two lives, so that it has a table; returns its folder and its rows as one text. */
export async function smallHome(): Promise<{ readonly home: string; readonly healthy: string }> {
  const home = temporaryFolder();
  const witness = openFileWitness(join(home, 'witness'));
  for (const [from, to] of [
    [1n, 20n],
    [21n, 40n],
  ] as const) {
    const store = await openLevelStore(join(home, 'db'), { create: true });
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'always', witness });
    if (from === 1n) await log.append([{ event: chainStarted() }]);
    for (let height = from; height <= to; height += 1n) {
      const index = blockIndexRows({
        height: toHeight(height),
        blockHash: blockHash(height),
        txHashes: [[txHash(text(`tx-${height}`))]],
      });
      await log.append([{ event: decided(height) }, { event: executed(height) }], index);
      await log.append([{ event: admitted(`pending ${height}`) }]);
    }
    await store.close();
  }
  witness.close();
  const found = await examine(copyOf(home));
  if (!('rows' in found)) throw new Error(`healthy home: ${found.problem}`);
  return { home, healthy: logical(found.rows) };
}

/** A copy of a stopped home. */
export function copyOf(home: string): string {
  const target = temporaryFolder();
  cpSync(home, target, { recursive: true });
  return target;
}

/** The problem that a start or `log verify` reports, and whether its error reports damage. */
export interface Reported {
  readonly problem: string;
  readonly isDamage: boolean;
  /** LevelDB's files were scanned before anything was opened. */
  readonly scanned: boolean;
}

/** Opens a home like the node and reads all rows; returns the reported problem, or the rows. */
export async function examine(
  home: string,
  scan = true,
  opening: Pick<LevelStoreOptions, 'checkTables'> = {},
): Promise<Reported | { readonly rows: readonly KeyValue[] }> {
  const directory = join(home, 'db');
  const found = scan ? [...scanLevelFiles(directory)][0] : undefined;
  if (found !== undefined) return { problem: `${found.problem} in ${found.file}`, isDamage: true, scanned: true };
  const witness = openFileWitness(join(home, 'witness'));
  try {
    const store = await openLevelStore(directory, { create: false, ...opening });
    try {
      const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'always', witness });
      const problems = [...fileProblems(directory), ...(await log.verifyAll()).problems];
      if (problems[0] !== undefined)
        return { problem: JSON.stringify(problems[0], bigintText), isDamage: true, scanned: false };
      return { rows: await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 10_000 }) };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { problem: String(error), isDamage: error instanceof CorruptionError, scanned: false };
  } finally {
    witness.close();
  }
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** All rows as one text. */
export const logical = (rows: readonly KeyValue[]): string =>
  rows.map(({ key, value }) => `${hex(key)}=${hex(value)}`).join('\n');
