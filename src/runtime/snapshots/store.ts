/** Snapshots of a home as files: a folder for each height, with its chunks and a file that says what they are. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { AbciChunkPlace, AbciSnapshot } from '../../core/abci/abci-application.js';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import {
  MetadataSchema,
  SnapshotSchema,
  type Snapshot,
} from '../../core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { makeFolder } from '../../store/make-folder.js';
import { syncPath } from '../../store/sync-path.js';
import { SNAPSHOT_FORMAT } from './chunks.js';

/** The file of a folder that is complete: an encoded cosmos.store.snapshots.v1.Snapshot. */
const SAYS = 'snapshot.pb';
/** Ends the name of a folder that is being filled. */
const UNFINISHED = '.unfinished';
/** Ends the name of a folder that is being removed. */
const REMOVED = '.removed';

/** A snapshot that is being taken. */
export interface UnfinishedSnapshot {
  /** Writes the next chunk. */
  add(chunk: Uint8Array): Promise<void>;
  /** Makes the snapshot one that is offered. */
  finish(): void;
  /** Removes what was written. */
  discard(): void;
}

export class SnapshotStore {
  readonly #folder: string;

  /** Removes what an earlier process did not finish, or not remove. */
  constructor(folder: string) {
    this.#folder = folder;
    for (const name of this.#names()) if (name.endsWith(UNFINISHED) || name.endsWith(REMOVED)) this.#remove(name);
  }

  /** The snapshots that peers can have, the newest first. */
  list(): readonly AbciSnapshot[] {
    return this.#heights()
      .slice(0, FIXED_LIMITS.snapshotsListed)
      .flatMap((height) => {
        const snapshot = this.#read(height);
        return snapshot === undefined ? [] : [{ ...snapshot, height, metadata: metadataOf(snapshot) }];
      });
  }

  /** A chunk whose bytes are as they were written; undefined without one. */
  async chunk({ height, format, chunk }: AbciChunkPlace): Promise<Uint8Array | undefined> {
    const hash = format === SNAPSHOT_FORMAT ? this.#read(height)?.metadata?.chunkHashes[chunk] : undefined;
    if (hash === undefined) return undefined;
    const bytes = await readFile(join(this.#folder, `${height}`, `${chunk}`)).catch(() => undefined);
    return bytes !== undefined && equal(createHash('sha256').update(bytes).digest(), hash) ? bytes : undefined;
  }

  begin(height: Height): UnfinishedSnapshot {
    const name = `${height}${UNFINISHED}`;
    const folder = join(this.#folder, name);
    this.#remove(name);
    makeFolder(folder);
    const chunkHashes: Uint8Array[] = [];
    const whole = createHash('sha256');
    return {
      add: async (chunk) => {
        await writeFile(join(folder, `${chunkHashes.length}`), chunk, { mode: 0o600, flush: true });
        chunkHashes.push(createHash('sha256').update(chunk).digest());
        whole.update(chunk);
      },
      finish: () => {
        const chunks = chunkHashes.length;
        const metadata = create(MetadataSchema, { chunkHashes });
        const snapshot = create(SnapshotSchema, {
          height,
          format: SNAPSHOT_FORMAT,
          chunks,
          hash: whole.digest(),
          metadata,
        });
        writeFileSync(join(folder, SAYS), toBinary(SnapshotSchema, snapshot), { mode: 0o600, flush: true });
        syncPath(folder);
        this.#retire(height);
        renameSync(folder, join(this.#folder, `${height}`));
        syncPath(this.#folder);
      },
      discard: () => this.#remove(name),
    };
  }

  /** Removes all but the newest snapshots. */
  prune(kept: number): void {
    for (const height of this.#heights().slice(kept)) this.#retire(height);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      // Nothing was taken yet.
      return [];
    }
  }

  /** The newest first. */
  #heights(): readonly Height[] {
    return this.#names()
      .flatMap((name) => (/^[1-9][0-9]{0,18}$/.test(name) ? [toHeight(BigInt(name))] : []))
      .toSorted((a, b) => (a > b ? -1 : 1));
  }

  /** Undefined for what cannot be read: it is not offered. */
  #read(height: Height): Snapshot | undefined {
    try {
      const snapshot = fromBinary(SnapshotSchema, readFileSync(join(this.#folder, `${height}`, SAYS)));
      return snapshot.height === height ? snapshot : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes a snapshot. Its name goes first, so that a cut leaves no part of it that is offered. */
  #retire(height: Height): void {
    const retired = `${height}${REMOVED}`;
    if (this.#heights().includes(height)) {
      this.#remove(retired);
      renameSync(join(this.#folder, `${height}`), join(this.#folder, retired));
      syncPath(this.#folder);
    }
    this.#remove(retired);
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { recursive: true, force: true });
  }
}

function metadataOf({ metadata }: Snapshot): Uint8Array {
  return toBinary(MetadataSchema, metadata ?? create(MetadataSchema));
}
