import type { KeyValueStore } from '../core/ports/key-value-store.js';
import type { Timers } from '../core/ports/time.js';
import { HomeLockedError } from '../store/errors.js';

const LOCK_ATTEMPTS = 20;
const LOCK_PAUSE_MS = 50;

/**
 * Opens the store, and tries again for a while when its lock is held: a process that was just killed holds its lock
 * until its threads have ended, and the restart by a supervisor must not fail because of that.
 */
export async function openPatiently(open: () => Promise<KeyValueStore>, timers: Timers): Promise<KeyValueStore> {
  for (let left = LOCK_ATTEMPTS; ; left -= 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof HomeLockedError) || left <= 1) throw error;
      await new Promise<void>((resolve) => void timers.after(LOCK_PAUSE_MS, resolve));
    }
  }
}
