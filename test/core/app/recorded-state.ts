import type { StateWrite } from '../../../src/core/state/state.js';
import { goldenLines } from '../../support/golden.js';
import { fromHex } from './support.js';

/** One pair of a recorded state; other lines have roots. A pair of a difference without a value is deleted. */
export interface RecordedEntry {
  readonly s?: string;
  readonly k: string;
  readonly v: string | null;
}

/** The pairs of a file of golden chain-a; by default its state after the first block. */
export const recordedWrites = (name = 'state-000001'): StateWrite[] =>
  goldenLines<RecordedEntry>(`chain-a/${name}.jsonl`).flatMap(({ s, k, v }) =>
    s === undefined ? [] : [{ store: s, key: fromHex(k), value: v === null ? undefined : fromHex(v) }],
  );
