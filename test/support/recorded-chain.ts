import type { BlockIdJson } from '../../src/core/comet/json/block-id-json.js';
import type { BlockJson } from '../../src/core/comet/json/block-json.js';
import type { CommitJson } from '../../src/core/comet/json/commit-json.js';
import type { BlockResultsJson } from '../../src/core/comet/json/results-json.js';
import type { ValidatorJson } from '../../src/core/comet/json/validator-json.js';
import { toHeight, type Height } from '../../src/core/primitives.js';
import type { StateEntry, StateWrite } from '../../src/core/state/state.js';
import { goldenLines } from './golden.js';

/** `result` of the block route. */
export interface RecordedBlock {
  readonly block_id: BlockIdJson;
  readonly block: BlockJson;
}

/** `result` of the commit route. */
export interface RecordedCommit {
  readonly signed_header: { readonly commit: CommitJson };
  readonly canonical: boolean;
}

/** `result` of the validators route. */
export interface RecordedValidators {
  readonly block_height: string;
  readonly validators: readonly ValidatorJson[];
}

/** One height of the recorded chain: the JSON of the Go node's routes and every leaf that it wrote. */
export interface RecordedHeight {
  readonly height: Height;
  readonly block: RecordedBlock;
  /** Recorded for heights 1 to 230 and for every height with transactions. */
  readonly blockResults: BlockResultsJson | undefined;
  /** Recorded for heights 1 to 30, at changes, and at the last height. */
  readonly commit: RecordedCommit | undefined;
  /** Recorded whenever the set changed. */
  readonly validators: RecordedValidators | undefined;
  /** In the order in which the SDK flushed them; deletions have no value. */
  readonly writes: readonly StateWrite[];
}

interface BlockLine {
  readonly height: number;
  readonly block: RecordedBlock;
  readonly block_results?: BlockResultsJson;
  readonly commit?: RecordedCommit;
  readonly validators?: RecordedValidators;
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

/** Whole contents of every store after a recorded height: 1, 2, 10, 40 and 224. Entries in key order. */
export function readRecordedState(height: number): ReadonlyMap<string, readonly StateEntry[]> {
  const stores = new Map<string, StateEntry[]>();
  for (const line of goldenLines<{ store?: string; s?: string; k?: string; v?: string }>(
    `chain-a/state-${String(height).padStart(6, '0')}.jsonl`,
  )) {
    if (line.store !== undefined) stores.set(line.store, []);
    if (line.s !== undefined) stores.get(line.s)?.push({ key: bytesOf(line.k ?? ''), value: bytesOf(line.v ?? '') });
  }
  return stores;
}
