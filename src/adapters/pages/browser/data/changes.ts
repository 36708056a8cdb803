/** Differences between two moments, as `chronicle_stateDiff` answers them. */
import { ask } from './ethereum.js';

interface FoundMoment {
  readonly height: string;
  readonly position: string | null;
}

/** A changed row by names. */
export interface Change {
  readonly module: string;
  readonly row: string | null;
  readonly key: readonly { readonly name: string; readonly text: string; readonly alias?: string }[];
  readonly kind: 'created' | 'changed' | 'deleted';
  readonly index: boolean;
  readonly fields: readonly { readonly name: string; readonly before: string | null; readonly after: string | null }[];
  readonly line: string;
}

export interface StateDiff {
  readonly from: FoundMoment;
  readonly to: FoundMoment;
  readonly changes: readonly Change[];
  readonly written: Readonly<Record<string, number>> | null;
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

/** A page of the differences between two heights, in either order; `cursor` is `next` of the page before. */
export async function changesBetween(
  from: bigint,
  to: bigint,
  limit: number,
  cursor: string | undefined,
): Promise<StateDiff> {
  return await ask<StateDiff>('chronicle_stateDiff', Number(from), Number(to), {
    limit,
    ...(cursor !== undefined && { cursor }),
  });
}
