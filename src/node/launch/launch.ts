import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Bundle } from './bundle.js';

/** Delay in milliseconds before code is cached: by then V8 has compiled what a start and a first request need. */
const KEEP_AFTER_MS = 3_000;

/**
 * Runs an entry script of the build in `folder` (`scripts/build.js`), caches the code that V8 compiled after
 * `keepAfterMs`, and returns the entry's exports. There is a cache per entry and per V8 version, flags and processor.
 */
export function launch(folder: string, entry: string, script: string, keepAfterMs = KEEP_AFTER_MS): unknown {
  const code = join(folder, 'code');
  const bundle = new Bundle(code, join(folder, 'cache', String(cachedDataVersionTag()), entry));
  const exports = bundle.load(join(code, script));
  const keep = (): void => {
    // One script at a time, so that requests are answered in between. A timer is used because an unref'd immediate
    // runs only with the next message in a thread that waits for messages.
    if (bundle.keepOne()) setTimeout(keep, 0).unref();
  };
  setTimeout(keep, keepAfterMs).unref();
  return exports;
}
