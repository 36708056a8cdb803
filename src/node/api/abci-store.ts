/**
 * Raw reads of a store by `abci_query`: `/store/NAME/key` with or without a proof, and `/store/NAME/subspace`
 * (cosmossdk.io/store v1.1.2 `rootmulti/store.go` and `iavl/store.go`, Query).
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { prefixRange } from '../../core/bytes/key-order.js';
import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import type { AbciQuery, AbciQueryAnswer, Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { StateEntry } from '../../core/state/state.js';
import { createStateReader, HeightPruned } from '../../store/state/latest.js';
import { readStateAt } from '../../store/state/query-reader.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { Executor } from '../../runtime/executor/executor.js';
import { answered, belowZero, inFuture, pruned, refused, withoutProof } from './abci-answers.js';

export interface StoreQueryOptions {
  readonly store: KeyValueStore;
  readonly ledger: Pick<Ledger, 'earliestState'>;
  readonly executor: Pick<Executor, 'prove'>;
  readonly storeNames: ReadonlySet<string>;
}

const UNKNOWN = { code: 4, text: 'unknown request' } as const;
const MAXIMUM = DEFAULT_LIMITS.pageRows;

/** `name`: second segment of the path; `what`: the rest, with its leading slash. */
export async function storeQuery(
  options: StoreQueryOptions,
  { name, what }: { readonly name: string; readonly what: string },
  query: AbciQuery,
  head: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  if (query.prove && query.height <= 1n && (query.height !== 0n || head <= 1n)) return withoutProof();
  if (!options.storeNames.has(name)) return refused(UNKNOWN.code, 'store', `no such store: ${name}: ${UNKNOWN.text}`);
  if (query.prove && what === '/key' && query.data.length === 0) return NO_PROOF;
  if (query.data.length === 0) return refused(3, 'store', 'query cannot be zero length: tx parse error');
  if (what !== '/key' && what !== '/subspace')
    return refused(UNKNOWN.code, 'store', `unexpected query path: ${what}: ${UNKNOWN.text}`);
  if (query.height < 0n) return belowZero();
  if (query.height > head) return inFuture();
  const height = query.height === 0n ? head : toHeight(query.height);
  if (height < options.ledger.earliestState()) return pruned(height, head);
  return what === '/key' ? keyQuery(options, name, query, height, head) : subspace(options, name, query, height, head);
}

/** The Go node's answer if no proof could be made. */
const NO_PROOF = refused(7, 'store', 'proof is unexpectedly empty; ensure height has not been pruned: invalid request');

async function keyQuery(
  { store, executor }: StoreQueryOptions,
  name: string,
  { data: key, prove }: AbciQuery,
  height: Height,
  head: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  try {
    const value = createStateReader(store, height).get(name, key) ?? new Uint8Array();
    if (!prove) return answered(height, value, { key });
    const proved = await executor.prove(name, key, height);
    if (proved.ok) return answered(height, value, { key, proofOps: proved.ops });
    return proved.error.code === 'state-pruned' ? pruned(height, head) : { ok: false, error: proved.error };
  } catch (error) {
    if (error instanceof HeightPruned) return pruned(height, head);
    throw error;
  }
}

/** Returns every entry whose key has the prefix `data`. The Go node always reads the head here. */
async function subspace(
  { store }: StoreQueryOptions,
  name: string,
  { data: prefix }: AbciQuery,
  height: Height,
  head: Height,
): Promise<Outcome<AbciQueryAnswer>> {
  const read = await readStateAt(
    store,
    height,
    (state) => firstOf(state.range(name, prefixRange(prefix))),
    DEFAULT_LIMITS,
  );
  if (!read.ok) return read.error.code === 'state-pruned' ? pruned(height, head) : read;
  if (read.value.length > MAXIMUM)
    return { ok: false, error: { code: 'limit-exceeded', limit: 'pageRows', maximum: MAXIMUM } };
  return answered(height, encodePairs(read.value), { key: prefix });
}

function firstOf(entries: Iterable<StateEntry>): readonly StateEntry[] {
  const taken: StateEntry[] = [];
  for (const entry of entries) {
    taken.push(entry);
    if (taken.length > MAXIMUM) break;
  }
  return taken;
}

/** `cosmos.store.internal.kv.v1beta1.Pairs`: encodes the entries. */
function encodePairs(entries: readonly StateEntry[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { key, value } of entries) {
    writer.tag(1, WireType.LengthDelimited).fork();
    if (key.length > 0) writer.tag(1, WireType.LengthDelimited).bytes(key);
    if (value.length > 0) writer.tag(2, WireType.LengthDelimited).bytes(value);
    writer.join();
  }
  return writer.finish();
}
