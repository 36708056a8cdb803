/** Promises of a home at a position of a trace: everything that clients were told, and only the log of the run. */
import { join } from 'node:path';
import { toPosition, type Position } from '../../src/core/primitives.js';
import { hex } from '../../src/core/bytes/hex.js';
import { openLevelCopy } from '../../src/store/leveldb/level-store.js';
import { databaseExists } from '../../src/store/files/replacement.js';
import { readRecords } from '../../src/store/log/read-records.js';
import { readHead } from '../../src/store/log/verify-tail.js';
import { homePaths } from '../../src/runtime/home/home.js';
import { crypto } from '../store/support.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import type { Disk } from './disk.js';
import type { Shown, Trace } from './trace.js';

export interface Promised {
  /** Blocks by their heights. */
  readonly blocks: ReadonlyMap<number, Shown>;
  /** Hashes of blocks that a revert removed. */
  readonly gone: ReadonlySet<string>;
  /** Heights whose results were removed on request. */
  readonly takenBack: ReadonlySet<number>;
  /** Hashes of transactions that are in the log. */
  readonly admitted: ReadonlySet<string>;
  /** Arguments of a start. */
  readonly args: readonly string[];
  /** Name of the program that runs. */
  readonly life: string;
}

/** Answers that clients received before the operation at `place`. */
export function promisedBefore({ operations }: Trace, place: number): Promised {
  const blocks = new Map<number, Shown>();
  const admitted = new Set<string>();
  const takenBack = new Set<number>();
  const going = new Set<string>();
  const gone = new Set<string>();
  let args: readonly string[] = [];
  let name = '';
  for (const operation of operations.slice(0, place)) {
    if (operation.kind === 'shown') blocks.set(operation.block.height, operation.block);
    if (operation.kind === 'admitted') admitted.add(operation.hash);
    if (operation.kind === 'reverting')
      for (const { height, hash } of blocks.values())
        if (height > operation.through) {
          blocks.delete(height);
          going.add(hash);
        }
    if (operation.kind === 'reverted') for (const hash of going) gone.add(hash);
    if (operation.kind !== 'life') continue;
    ({ args, name } = operation.life);
    if (operation.life.takesBack) takenBack.add(Math.max(...blocks.keys()));
    if (!operation.life.removes) continue;
    blocks.clear();
    admitted.clear();
  }
  return { blocks, gone, takenBack, admitted, args, life: name };
}

/** Hashes of all records of the run, by first position; there are several if a chain was created again. */
export type Written = ReadonlyMap<Position, ReadonlySet<string>>;

/** Reads the log at the end of each run of a program. */
export async function writtenBy({ operations }: Trace, disk: Disk): Promise<Written> {
  const written = new Map<Position, Set<string>>();
  const ends = operations.flatMap((operation, place) => (operation.kind === 'life' && place > 0 ? [place] : []));
  for (const end of [...ends, operations.length]) {
    const folder = temporaryFolder();
    disk.copy(end, folder);
    const { database } = homePaths(join(folder, 'home'));
    if (databaseExists(database)) {
      const { store } = await openLevelCopy(database);
      const through = readHead(store).position;
      if (through > 0n)
        for await (const { header } of readRecords(store, crypto, { first: toPosition(1n), through })) {
          const hashes = written.get(header.first) ?? new Set();
          written.set(header.first, hashes.add(hex(header.hash)));
        }
      await store.close();
    }
    removeFolder(folder);
  }
  return written;
}
