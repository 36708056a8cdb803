/** Changes between two moments (`chronicle_stateDiff`) and by one transaction (`chronicle_transactionDiff`). */
import type { FoundMoment, StateChange, TransactionDiff as Diff } from '../../../../core/inspection/api.js';
import { ask } from './ethereum.js';
import type { JsonForm } from './json-form.js';

/** A changed row with readable names. */
export interface Change extends JsonForm<Pick<StateChange, 'row' | 'kind' | 'fields' | 'line'>> {
  readonly module: string;
  readonly key: readonly { readonly name: string; readonly text: string; readonly alias?: string }[];
  readonly index: boolean;
}

export interface StateDiff {
  readonly from: JsonForm<FoundMoment>;
  readonly to: JsonForm<FoundMoment>;
  readonly changes: readonly Change[];
  readonly written: Readonly<Record<string, number>> | null;
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

/** A page of differences between two heights, in either order; `cursor`: `next` of the previous page. */
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

/** Rows that one transaction changed. */
export interface TransactionDiff extends JsonForm<Pick<Diff, 'height'>> {
  readonly changes: readonly Change[];
  /** Number of rows that did not fit into the answer. */
  readonly more: number;
}

/** Groups changes by module. A module's name is that of its store, with one exception. */
export function modulesOf(changes: readonly Change[]): readonly (readonly [string, readonly Change[]])[] {
  const modules = [...new Set(changes.map(({ module }) => module))];
  return modules.map((module) => [
    module === 'acc' ? 'auth' : module,
    changes.filter((change) => change.module === module),
  ]);
}
