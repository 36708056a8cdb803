import { toHeight, type Height } from '../../src/core/primitives.js';
import type { StateEntry, StateWrite } from '../../src/core/state/state.js';
import { goldenLines } from './golden.js';

/** One ABCI event in the JSON of block_results. */
export interface RecordedEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index?: boolean }[];
}

/** `result` of block_results, as far as tests look inside. */
export interface RecordedResults {
  readonly height: string;
  readonly txs_results: readonly { readonly code: number; readonly events: readonly RecordedEvent[] }[] | null;
  readonly finalize_block_events: readonly RecordedEvent[] | null;
}

/** `result` of block, as far as tests look inside. */
export interface RecordedBlock {
  readonly block_id: { readonly hash: string };
  readonly block: { readonly header: { readonly height: string; readonly time: string; readonly app_hash: string }; readonly data: { readonly txs: readonly string[] } };
}

/** One height of the recorded chain: the JSON of the real node's routes and every leaf that it wrote. */
export interface RecordedHeight {
  readonly height: Height;
  readonly block: RecordedBlock;
  /** Recorded for heights 1 to 230 and for every height with transactions. */
  readonly blockResults: RecordedResults | undefined;
  readonly commit: unknown;
  readonly validators: unknown;
  /** In the order in which the SDK flushed them; deletions have no value. */
  readonly writes: readonly StateWrite[];
}

interface BlockLine {
  readonly height: number;
  readonly block: RecordedBlock;
  readonly block_results?: RecordedResults;
  readonly commit?: unknown;
  readonly validators?: unknown;
}

interface WritesLine {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** The 714 heights of golden chain-a in order. */
export function readRecordedChain(): readonly RecordedHeight[] {
  const writes = new Map(goldenLines<WritesLine>('chain-a/writes.jsonl').map((line) => [line.height, line.writes]));
  return goldenLines<BlockLine>('chain-a/blocks.jsonl').map((line) => ({
    height: toHeight(BigInt(line.height)),
    block: line.block,
    blockResults: line.block_results,
    commit: line.commit,
    validators: line.validators,
    writes: Object.entries(writes.get(line.height) ?? {}).flatMap(([store, pairs]) =>
      pairs.map(([key, value]) => ({ store, key: bytesOf(key), value: value === null ? undefined : bytesOf(value) })),
    ),
  }));
}

/** Whole contents of every store after a height that was recorded so: 1, 2, 10, 40 and 224. Entries in key order. */
export function readRecordedState(height: number): ReadonlyMap<string, readonly StateEntry[]> {
  const stores = new Map<string, StateEntry[]>();
  for (const line of goldenLines<{ store?: string; s?: string; k?: string; v?: string }>(`chain-a/state-${String(height).padStart(6, '0')}.jsonl`)) {
    if (line.store !== undefined) stores.set(line.store, []);
    if (line.s !== undefined) stores.get(line.s)?.push({ key: bytesOf(line.k ?? ''), value: bytesOf(line.v ?? '') });
  }
  return stores;
}
