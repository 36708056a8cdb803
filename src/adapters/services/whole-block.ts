import type { StoredBlock } from '../../core/comet/stored-block.js';
import type { NodeApi, Outcome } from '../../core/node-api.js';
import type { Height } from '../../core/primitives.js';

/** Reads a complete block: from the log, or from the external engine, which then has the full blocks. */
export async function wholeBlock({ queries }: NodeApi, height: Height): Promise<Outcome<StoredBlock>> {
  if (queries.engine !== undefined) return queries.engine.block(height);
  const stored = queries.chain.block(height);
  if (stored !== undefined) return { ok: true, value: stored };
  return { ok: false, error: { code: 'height-pruned', height, lowest: queries.chain.earliestHeight() } };
}
