import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { HomeLockedError } from '../../store/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/**
 * Opens the store; retries for a while when its lock is held, because a killed process holds its lock until its threads
 * have ended, and a supervisor may restart the node before that.
 */
export async function openWithRetries(open: () => Promise<KeyValueStore>, timers: Timers): Promise<KeyValueStore> {
  for (let left = FIXED_LIMITS.lockAttempts; ; left -= 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof HomeLockedError) || left <= 1) throw error;
      await new Promise<void>((resolve) => void timers.after(FIXED_LIMITS.lockPauseMs, resolve));
    }
  }
}
