import { FORMAT, formatOf } from '../../store/leveldb/format.js';

/**
 * Refuses the database of a home that this build does not read: OtherFormatError for its format, OlderChainError for
 * the chain of an earlier format. Nothing in the home changes. A folder without a database passes. Throws
 * CorruptionError, too.
 */
export async function refuseOtherBuild(database: string): Promise<void> {
  const format = formatOf(database);
  if (format === undefined || format === FORMAT) return;
  await (await import('../chain/refuse-older-chain.js')).refuseOlderChain(database);
}
