import { openEventLog } from '../../store/log/event-log.js';
import { openLevelCopy } from '../../store/leveldb/level-store.js';
import { createStateReader } from '../../store/state/latest.js';
import { createHostCrypto } from '../host/crypto.js';
import { createHostClock } from '../host/time.js';
import { findPreset, loadVersionOf } from '../load-preset.js';
import { requireGenesisModules, refuseLostSigners } from './older-chain.js';
import { firstEvent } from './open-chain.js';

/**
 * Throws OlderChainError when this build cannot continue the chain of a database. Reads a copy, so the home is not
 * changed. Throws CorruptionError, too.
 */
export async function refuseOlderChain(database: string): Promise<void> {
  const { store } = await openLevelCopy(database);
  try {
    const witness = { read: () => undefined, write: () => undefined, close: () => undefined };
    const crypto = await createHostCrypto();
    const log = await openEventLog({ store, crypto, clock: createHostClock(), sync: 'os', witness });
    if (log.head().position === 0n) return;
    const started = await firstEvent(log);
    if ((await findPreset(started.preset)) !== undefined) requireGenesisModules(await loadVersionOf(started), started);
    refuseLostSigners(createStateReader(store, 'latest'));
  } finally {
    await store.close();
  }
}
