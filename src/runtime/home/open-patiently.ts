import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { HomeLockedError } from '../../store/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/**
 * Opens the store, and tries again for a while when its lock is held: a process that was just killed holds its lock
 * until its threads have ended, and the restart by a supervisor must not fail because of that.
 */
export async function openPatiently(open: () => Promise<KeyValueStore>, timers: Timers): Promise<KeyValueStore> {
  for (let left = FIXED_LIMITS.lockAttempts; ; left -= 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof HomeLockedError) || left <= 1) throw error;
      await new Promise<void>((resolve) => void timers.after(FIXED_LIMITS.lockPauseMs, resolve));
    }
  }
}
