import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore, RangeOptions, StoreOperation } from '../../core/ports/key-value-store.js';
import { CorruptionError, PoisonedError } from '../errors.js';
import { inSlices, slicesOf, WriteOrder } from './write-order.js';
import { baseBounds } from '../packing/kinds.js';
import { RowPacking } from '../packing/row-packing.js';
import { replacesAnchor, obsoleteBases } from '../packing/obsolete-bases.js';
import { openStored, sealRows, type SealingOperation } from '../rows/row.js';

/**
 * Adds a checksum to every value written and verifies it on every read; also packs and unpacks rows that repeat
 * (`src/store/packing`), and writes batches in the order of the calls. `get` and `range` throw CorruptionError.
 * `onDamage` is called with each CorruptionError before it is thrown.
 */
export function withRowChecksums(
  store: KeyValueStore,
  onDamage: (error: CorruptionError) => void = () => undefined,
): KeyValueStore {
  const reported = (error: unknown): unknown => {
    if (error instanceof CorruptionError) onDamage(error);
    return error;
  };
  const packing = new RowPacking((key) => {
    const row = store.get(key);
    return row && openStored(key, row);
  });
  const order = new WriteOrder();
  return {
    get(key) {
      try {
        const row = store.get(key);
        return row === undefined ? undefined : packing.unpack(key, openStored(key, row));
      } catch (error) {
        throw reported(error);
      }
    },
    async range(options: RangeOptions): Promise<readonly KeyValue[]> {
      try {
        const rows = await store.range(options);
        return rows.map(({ key, value }) => ({ key, value: packing.unpack(key, openStored(key, value)) }));
      } catch (error) {
        throw reported(error);
      }
    },
    commit: (operations, { before, ...options }) =>
      order.write(async () => {
        for (const kind of packing.kindsToLoad(operations)) {
          const [last] = await store.range({ ...baseBounds(kind), reverse: true, limit: 1 });
          packing.loadBase(kind, last?.key);
        }
        const spent = replacesAnchor(operations) ? await obsoleteBases(store) : [];
        const sealed: StoreOperation[] = [];
        await inSlices([...packing.pack(operations), ...spent], (slice: readonly SealingOperation[]) => {
          for (const row of sealRows(slice)) sealed.push(row);
        });
        const sealedBefore = before && sealedInTurn(before);
        await store.commit(sealed, { ...options, ...(sealedBefore && { before: sealedBefore }) });
      }),
    compact: async (start, end) => store.compact?.(start, end),
    sizeOf: async (start, end) => (await store.sizeOf?.(start, end)) ?? 0,
    async close() {
      await order.ended();
      await store.close();
    },
  };
}

/** Adds checksums to generated rows slice by slice. These rows are never packed. */
function* sealedInTurn(rows: Iterable<StoreOperation>): Generator<StoreOperation> {
  for (const slice of slicesOf(rows, FIXED_LIMITS.madeRowsPerTurn)) yield* sealRows(slice);
}

/**
 * The poison rule: after the first failed commit the handle refuses all calls. On a full disk LevelDB would acknowledge
 * later synced writes that the next open cannot find (`db/log_writer.cc` of google/leveldb advances its offset even
 * when an append failed). `get` throws PoisonedError; `range` and `commit` reject with it.
 */
export function withPoisonRule(store: KeyValueStore): KeyValueStore {
  let failure: PoisonedError | undefined;
  return {
    get(key) {
      if (failure !== undefined) throw failure;
      return store.get(key);
    },
    async range(options) {
      if (failure !== undefined) throw failure;
      return store.range(options);
    },
    async commit(operations, options) {
      if (failure !== undefined) throw failure;
      try {
        await store.commit(operations, options);
      } catch (error) {
        failure ??= new PoisonedError(error);
        throw error;
      }
    },
    compact: async (start, end) => store.compact?.(start, end),
    sizeOf: async (start, end) => (await store.sizeOf?.(start, end)) ?? 0,
    close: () => store.close(),
  };
}
