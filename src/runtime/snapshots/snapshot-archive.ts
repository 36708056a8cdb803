/** Export and import of a snapshot as one archive file (cosmos-sdk v0.53 `client/snapshot/dump.go`, `load.go`). */
import { gunzipSync, gzipSync } from 'node:zlib';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight } from '../../core/primitives.js';
import { SnapshotSchema, type Snapshot } from '../../core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { ArchiveRefused, type ArchivedFile, writeTar, readTar } from './tar.js';
import { SNAPSHOT_FORMAT } from './chunks.js';
import type { SnapshotStore } from './store.js';

/** First file of an archive: an encoded cosmos.store.snapshots.v1.Snapshot. */
const METADATA_FILE = '_snapshot';
/** File with the chain facts, after the chunks. The SDK's archives lack it, and its `load` ignores it. */
const CHAIN = '_chain';
/** Fast compression: the chunks are compressed already. */
const LEVEL = 1;

/** Builds the archive of a snapshot. Throws ArchiveRefused when one of its files is damaged. */
export async function dumpSnapshot(store: SnapshotStore, snapshot: Snapshot): Promise<Uint8Array> {
  const { format, chunks: count } = snapshot;
  const height = toHeight(snapshot.height);
  const files: ArchivedFile[] = [{ name: METADATA_FILE, bytes: toBinary(SnapshotSchema, snapshot) }];
  for (let chunk = 0; chunk < count; chunk += 1) {
    const bytes = await store.chunk({ height, format, chunk });
    if (bytes === undefined) throw new ArchiveRefused(`chunk ${chunk} of the snapshot is damaged`);
    files.push({ name: `${chunk}`, bytes });
  }
  const chain = store.chainFile(height);
  if (chain !== undefined) files.push({ name: CHAIN, bytes: chain });
  return gzipSync(writeTar(files), { level: LEVEL });
}

/** Stores the snapshot of an archive and returns it. Throws ArchiveRefused, in which case nothing is stored. */
export async function loadSnapshot(store: SnapshotStore, archive: Uint8Array): Promise<Snapshot> {
  const [says, ...files] = readTar(unpacked(archive));
  const snapshot = says?.name === METADATA_FILE ? snapshotOf(says.bytes) : undefined;
  if (snapshot === undefined) throw new ArchiveRefused(`its first file is no ${METADATA_FILE}`);
  const { format, chunks: count } = snapshot;
  if (format !== SNAPSHOT_FORMAT) throw new ArchiveRefused(`format ${format} is not known, only ${SNAPSHOT_FORMAT}`);
  if (snapshot.height < 1n || count < 1 || count > FIXED_LIMITS.snapshotChunks)
    throw new ArchiveRefused(`it has ${count} chunks of height ${snapshot.height}`);
  const height = toHeight(snapshot.height);
  if (store.find(height, format) !== undefined) throw new ArchiveRefused(`snapshot ${height} exists already`);
  const taken = store.begin(height);
  try {
    for (let chunk = 0; chunk < count; chunk += 1) {
      const file = files[chunk];
      if (file?.name !== `${chunk}`) throw new ArchiveRefused(`chunk ${chunk} is missing`);
      await taken.add(file.bytes);
    }
    if (!equal(taken.hash(), snapshot.hash)) throw new ArchiveRefused('its chunks have another hash');
    const chain = files[count];
    await taken.finish(chain?.name === CHAIN ? chain.bytes : undefined);
  } catch (error) {
    await taken.discard();
    throw error;
  }
  return snapshot;
}

function unpacked(archive: Uint8Array): Uint8Array {
  try {
    return gunzipSync(archive, { maxOutputLength: FIXED_LIMITS.snapshotArchiveBytes });
  } catch {
    throw new ArchiveRefused(
      `it cannot be unpacked, or has more than ${FIXED_LIMITS.snapshotArchiveBytes} bytes (limit snapshotArchiveBytes)`,
    );
  }
}

function snapshotOf(bytes: Uint8Array): Snapshot | undefined {
  try {
    return fromBinary(SnapshotSchema, bytes);
  } catch {
    return undefined;
  }
}
