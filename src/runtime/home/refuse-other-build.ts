import { FORMAT, formatOf } from '../../store/leveldb/format.js';

/**
 * Refuses a database that this build cannot continue: throws OtherFormatError for its format, OlderChainError for an
 * old chain, or CorruptionError. Changes nothing in the home. A folder without a database passes.
 */
export async function refuseOtherBuild(database: string): Promise<void> {
  const format = formatOf(database);
  if (format === undefined || format === FORMAT) return;
  await (await import('../chain/refuse-older-chain.js')).refuseOlderChain(database);
}
