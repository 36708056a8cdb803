/**
 * Primary indexes: height to records, hash of a block or of evidence to height, transaction hash to height and index.
 */
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { blockHashKey, evidenceKey, headerHashKey, txHashKey } from '../keys.js';
import { readRow } from '../rows/read-row.js';

/** The position of an event, and the first position of its record. */
export interface EventLocation {
  readonly record: Position;
  readonly position: Position;
}

export interface HeightRow {
  readonly decided: EventLocation;
  readonly executed: EventLocation | undefined;
}

/** Encodes a height row. */
export function encodeHeightRow({ decided, executed }: HeightRow): Uint8Array {
  const writer = new ByteWriter();
  for (const place of executed === undefined ? [decided] : [decided, executed]) {
    writer.uint(place.record);
    writer.uint(place.position - place.record);
  }
  return writer.finish();
}

/** Decodes a height row. Throws CorruptionError. */
export function decodeHeightRow(bytes: Uint8Array): HeightRow {
  return readRow('height row', bytes, (reader) => ({
    decided: readLocation(reader),
    executed: reader.remaining > 0 ? readLocation(reader) : undefined,
  }));
}

/** Encodes the location of a single event. */
export function encodeLocation(place: EventLocation): Uint8Array {
  return encodeHeightRow({ decided: place, executed: undefined });
}

/** Decodes the location of a single event. Throws CorruptionError. */
export function decodeLocation(bytes: Uint8Array): EventLocation {
  return decodeHeightRow(bytes).decided;
}

/**
 * Hash-index rows of a block, its transactions and its evidence. The caller passes them to `append` with the block's
 * events, so that both are in one batch. (The log itself writes the height row.)
 */
export function blockIndexRows(block: {
  readonly height: Height;
  readonly blockHash: Uint8Array;
  /** For each transaction, all hashes under which it can be looked up. */
  readonly txHashes: readonly (readonly Uint8Array[])[];
  readonly evidenceHashes?: readonly Uint8Array[];
}): StoreOperation[] {
  const writer = new ByteWriter();
  writer.uint(block.height);
  const height = writer.finish();
  return [
    { type: 'put', key: blockHashKey(block.blockHash), value: height },
    ...(block.evidenceHashes ?? []).map((hash): StoreOperation => ({
      type: 'put',
      key: evidenceKey(hash),
      value: height,
    })),
    ...block.txHashes.flatMap((hashes, index): StoreOperation[] => {
      const place = new ByteWriter();
      place.uint(block.height);
      place.uint(index);
      const value = place.finish();
      return hashes.map((hash) => ({ type: 'put', key: txHashKey(hash), value }));
    }),
  ];
}

/** Index row from an Ethereum block hash to the height. */
export function headerHashRow(height: Height, hash: Uint8Array): StoreOperation {
  const writer = new ByteWriter();
  writer.uint(height);
  return { type: 'put', key: headerHashKey(hash), value: writer.finish() };
}

/**
 * Operations that delete the hash-index rows of a reverted block. `put`: the operations that wrote them. A row that now
 * names a height up to `kept` belongs to a block that stays, and is kept.
 */
export function* deleteBlockIndexRows(
  store: Pick<KeyValueStore, 'get'>,
  put: readonly StoreOperation[],
  kept: Height,
): Generator<StoreOperation> {
  for (const { key } of put) {
    const row = store.get(key);
    if (row !== undefined && new ByteReader(row).uint() > kept) yield { type: 'delete', key };
  }
}

/** Decodes a row by block or evidence hash. Throws CorruptionError. */
export function decodeHashRow(bytes: Uint8Array): Height {
  return readRow('hash row', bytes, (reader) => toHeight(reader.uint()));
}

/** Height of the block with this consensus or Ethereum block hash; undefined when there is none. */
export function heightOfHash(store: Pick<KeyValueStore, 'get'>, hash: Uint8Array): Height | undefined {
  const row = store.get(blockHashKey(hash)) ?? store.get(headerHashKey(hash));
  return row && decodeHashRow(row);
}

export interface TxLocation {
  readonly height: Height;
  readonly index: number;
}

/** Decodes a row by transaction hash. Throws CorruptionError. */
export function decodeTxHashRow(bytes: Uint8Array): TxLocation {
  return readRow('transaction hash row', bytes, (reader) => ({
    height: toHeight(reader.uint()),
    index: reader.count(),
  }));
}

function readLocation(reader: ByteReader): EventLocation {
  const record = toPosition(reader.uint());
  return { record, position: toPosition(record + reader.uint()) };
}
