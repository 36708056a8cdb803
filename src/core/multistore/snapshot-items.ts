/**
 * The stream of a state-sync snapshot in format 3 of the SDK (cosmossdk.io/store v1.1.2 `snapshots/stream.go`,
 * `rootmulti/store.go`): `cosmos.store.snapshots.v1.SnapshotItem`, each after its length as a varint. How the stream is
 * compressed and cut into chunks is the host's.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ByteReader, type ByteWriter } from '../iavl/byte-stream.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { SnapshotItemSchema, type SnapshotItem } from '../proto/cosmos/store/snapshots/v1/snapshot_pb.js';

/** A snapshot that is not what it says that it is; the state is as before. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused';
}

type Item = SnapshotItem['item'];

/** Appends an item to a stream. */
export function writeItem(output: ByteWriter, item: Item): void {
  const bytes = toBinary(SnapshotItemSchema, create(SnapshotItemSchema, { item }));
  output.uvarint(bytes.length);
  output.bytes(bytes);
}

/**
 * The items of a whole stream. Throws SnapshotRefused. Fields that no item has are passed over: kept, millions of them
 * would need a hundred times their bytes.
 */
export function* readItems(stream: Uint8Array): Generator<Item, void, undefined> {
  const input = new ByteReader(stream);
  while (input.left > 0) {
    let item: Item;
    try {
      const length = input.uvarint();
      if (length > FIXED_LIMITS.snapshotItemBytes) throw new SnapshotRefused(`an item of ${length} bytes`);
      ({ item } = fromBinary(SnapshotItemSchema, input.bytes(length), { readUnknownFields: false }));
    } catch (error) {
      throw error instanceof SnapshotRefused ? error : new SnapshotRefused('the stream holds what is no item');
    }
    yield item;
  }
}
