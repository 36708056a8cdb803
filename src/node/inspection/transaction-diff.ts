import type { InspectionApi } from '../../core/inspection/api.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { describeChanges, type DescribedChangesOptions } from './described-changes.js';

export interface TransactionDiffSource extends DescribedChangesOptions {
  /** Undefined for an application without an EVM. */
  readonly changedBy: EthereumApi['changedBy'] | undefined;
}

/** Implements `InspectionApi.transactionDiff`: rows of the state that a transaction changed, with readable names. */
export async function transactionDiff(
  source: TransactionDiffSource,
  [hash, limit]: Parameters<InspectionApi['transactionDiff']>,
): ReturnType<InspectionApi['transactionDiff']> {
  const executed = await source.changedBy?.(hash);
  if (executed?.ok === false) return executed;
  if (executed?.value === undefined) return { ok: true, value: undefined };
  const { height, index, rows } = executed.value;
  const described = await describeChanges(source, limit);
  for (const row of rows) if (!described.take(row)) break;
  const changes = await described.named();
  return { ok: true, value: { height, index, changes, more: rows.length - changes.length } };
}
