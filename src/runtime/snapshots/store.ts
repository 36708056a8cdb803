/** Snapshots of a home as files: a folder per height with its chunks and a metadata file. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { AbciChunkId, AbciSnapshot } from '../../core/abci/abci-application.js';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import {
  MetadataSchema,
  SnapshotSchema,
  type Snapshot,
} from '../../core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { makeFolder } from '../../store/files/make-folder.js';
import { SNAPSHOT_FORMAT } from './chunks.js';

/** Metadata file of a complete snapshot: an encoded cosmos.store.snapshots.v1.Snapshot. */
const METADATA_FILE = 'snapshot.pb';
/** Chain file, in snapshots of nodes with embedded consensus. */
const CHAIN = 'chain';
/** Name suffix of a folder being written. */
const UNFINISHED = '.unfinished';
/** Name suffix of a folder being removed. */
const REMOVED = '.removed';

/** A snapshot being written. */
export interface UnfinishedSnapshot {
  /** Writes the next chunk. */
  add(chunk: Uint8Array): Promise<void>;
  /** SHA-256 of all chunks so far. */
  hash(): Uint8Array;
  /** Completes the snapshot, so that it is offered to peers. With a chain file, a home can be initialized from it. */
  finish(chainFile?: Uint8Array): Promise<void>;
  /** Deletes the unfinished snapshot. */
  discard(): Promise<void>;
}

function sha256() {
  return createHash('sha256');
}

export class SnapshotStore {
  readonly #folder: string;

  /**
   * Cleans up what an earlier process left unfinished; not with `isRead`, because a running node may be writing here.
   */
  constructor(folder: string, { isRead = false }: { readonly isRead?: boolean } = {}) {
    this.#folder = folder;
    if (isRead) return;
    for (const name of this.#names())
      if (name.endsWith(UNFINISHED) || name.endsWith(REMOVED))
        rmSync(join(this.#folder, name), { recursive: true, force: true });
  }

  /** The snapshots offered to peers, newest first. */
  list(): readonly AbciSnapshot[] {
    return this.#heights()
      .slice(0, FIXED_LIMITS.snapshotsListed)
      .flatMap((height) => {
        const snapshot = this.#read(height);
        return snapshot === undefined ? [] : [{ ...snapshot, height, metadata: metadataOf(snapshot) }];
      });
  }

  /** Metadata of a snapshot; undefined when there is none. */
  find(height: Height, format: number): Snapshot | undefined {
    return format === SNAPSHOT_FORMAT ? this.#read(height) : undefined;
  }

  /** The chain file of a snapshot; undefined when it has none. */
  chainFile(height: Height): Uint8Array | undefined {
    const path = join(this.#folder, `${height}`, CHAIN);
    return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
  }

  /** Reads a chunk and verifies its hash; undefined when it is missing or damaged. */
  async chunk({ height, format, chunk }: AbciChunkId): Promise<Uint8Array | undefined> {
    const hash = format === SNAPSHOT_FORMAT ? this.#read(height)?.metadata?.chunkHashes[chunk] : undefined;
    if (hash === undefined) return undefined;
    const bytes = await readFile(join(this.#folder, `${height}`, `${chunk}`)).catch(() => undefined);
    return bytes !== undefined && equal(sha256().update(bytes).digest(), hash) ? bytes : undefined;
  }

  begin(height: Height): UnfinishedSnapshot {
    const name = `${height}${UNFINISHED}`;
    const folder = join(this.#folder, name);
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    const chunkHashes: Uint8Array[] = [];
    const whole = sha256();
    const write = (file: string, bytes: Uint8Array): Promise<void> =>
      writeFile(join(folder, file), bytes, { mode: 0o600, flush: true });
    return {
      add: async (chunk) => {
        await write(`${chunkHashes.length}`, chunk);
        chunkHashes.push(sha256().update(chunk).digest());
        whole.update(chunk);
      },
      hash: () => whole.copy().digest(),
      finish: async (chainFile) => {
        const chunks = chunkHashes.length;
        const metadata = create(MetadataSchema, { chunkHashes });
        const hash = whole.digest();
        if (chainFile !== undefined) await write(CHAIN, chainFile);
        const snapshot = create(SnapshotSchema, { height, format: SNAPSHOT_FORMAT, chunks, hash, metadata });
        await write(METADATA_FILE, toBinary(SnapshotSchema, snapshot));
        await syncFolder(folder);
        await this.remove(height);
        await rename(folder, join(this.#folder, `${height}`));
        await syncFolder(this.#folder);
      },
      discard: () => this.#erase(name),
    };
  }

  /** Removes all but the `kept` newest snapshots. */
  async prune(kept: number): Promise<void> {
    for (const height of this.#heights().slice(kept)) await this.remove(height);
  }

  /** Removes snapshots above `head`, after the chain was reverted or replaced. */
  async removeAbove(head: Height): Promise<void> {
    for (const height of this.#heights()) if (height > head) await this.remove(height);
  }

  /**
   * Removes a snapshot. It is renamed first, so that an interrupted removal never leaves a partial snapshot on offer.
   */
  async remove(height: Height): Promise<void> {
    const retired = `${height}${REMOVED}`;
    if (this.#heights().includes(height)) {
      await this.#erase(retired);
      await rename(join(this.#folder, `${height}`), join(this.#folder, retired));
      await syncFolder(this.#folder);
    }
    await this.#erase(retired);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      // The folder does not exist yet.
      return [];
    }
  }

  /** Heights, newest first. */
  #heights(): readonly Height[] {
    return this.#names()
      .flatMap((name) => (/^[1-9][0-9]{0,18}$/.test(name) ? [toHeight(BigInt(name))] : []))
      .toSorted((a, b) => (a > b ? -1 : 1));
  }

  /** Undefined when the metadata is unreadable; the snapshot is then not offered. */
  #read(height: Height): Snapshot | undefined {
    try {
      const snapshot = fromBinary(SnapshotSchema, readFileSync(join(this.#folder, `${height}`, METADATA_FILE)));
      return snapshot.height === height ? snapshot : undefined;
    } catch {
      return undefined;
    }
  }

  #erase(name: string): Promise<void> {
    return rm(join(this.#folder, name), { recursive: true, force: true });
  }
}

/** Fsyncs a folder, so that its directory entries are durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function metadataOf({ metadata }: Snapshot): Uint8Array {
  return toBinary(MetadataSchema, metadata ?? create(MetadataSchema));
}
