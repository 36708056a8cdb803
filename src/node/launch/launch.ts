import { join } from 'node:path';
import { Bundle } from './bundle.js';

/**
 * Time after which a node has started and answered a request, so that the functions of both are compiled, milliseconds.
 */
const KEEP_AFTER_MS = 3_000;

/**
 * Runs an entry of the build in `folder` (`scripts/build.js`), keeps V8's compiled code for the next run after
 * `keepAfterMs`, and returns the exports of the entry.
 */
export function launch(folder: string, entry: string, script: string, keepAfterMs = KEEP_AFTER_MS): unknown {
  const bundle = new Bundle(join(folder, 'code'), join(folder, 'cache'), entry);
  const exports = bundle.load(script);
  const keep = (): void => {
    // One at a time, so that requests are answered in between. A timer, because a thread that waits for messages runs
    // an immediate that does not keep it alive with its next message only.
    if (bundle.keepOne()) setTimeout(keep, 0).unref();
  };
  setTimeout(keep, keepAfterMs).unref();
  return exports;
}
