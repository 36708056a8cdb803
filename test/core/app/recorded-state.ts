import type { StateWrite } from '../../../src/core/state/state.js';
import { goldenLines } from '../../support/golden.js';
import { fromHex } from './support.js';

/** One line of a recorded state: a row, or a root (without `s`). In a recorded difference, `v: null` deletes it. */
export interface RecordedEntry {
  readonly s?: string;
  readonly k: string;
  readonly v: string | null;
}

/** The rows of a file of golden chain-a; by default its state after the first block. */
export const recordedWrites = (name = 'state-000001'): StateWrite[] =>
  goldenLines<RecordedEntry>(`chain-a/${name}.jsonl`).flatMap(({ s, k, v }) =>
    s === undefined ? [] : [{ store: s, key: fromHex(k), value: v === null ? undefined : fromHex(v) }],
  );
