import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Bundle } from './bundle.js';

/** Time after which a node has started and answered a request, so that V8 has compiled what both need, milliseconds. */
const KEEP_AFTER_MS = 3_000;

/**
 * Runs the script of an entry of the build in `folder` (`scripts/build.js`), keeps the code that V8 compiled after
 * `keepAfterMs`, and returns the exports of the entry. Code is kept for each entry, and for each version of V8 with its
 * flags and its processor.
 */
export function launch(folder: string, entry: string, script: string, keepAfterMs = KEEP_AFTER_MS): unknown {
  const code = join(folder, 'code');
  const bundle = new Bundle(code, join(folder, 'cache', String(cachedDataVersionTag()), entry));
  const exports = bundle.load(join(code, script));
  const keep = (): void => {
    // One at a time, so that requests are answered in between. A timer, because a thread that waits for messages runs
    // an immediate that does not keep it alive with its next message only.
    if (bundle.keepOne()) setTimeout(keep, 0).unref();
  };
  setTimeout(keep, keepAfterMs).unref();
  return exports;
}
