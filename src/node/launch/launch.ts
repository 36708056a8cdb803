import { join } from 'node:path';
import { Bundle } from './bundle.js';

/** When a node has started and answered something: the functions of both have been compiled by then. */
const KEEP_AFTER_MS = 3_000;

/** Runs an entry of the build in `folder` (`scripts/build.js`) and keeps what V8 compiled for the next time; answers its exports. */
export function launch(folder: string, entry: string, script: string): unknown {
  const bundle = new Bundle(join(folder, 'code'), join(folder, 'cache'), entry);
  const exports = bundle.load(script);
  const keep = (): void => {
    // One at a time: whoever asks meanwhile is answered in between.
    if (bundle.keepOne()) setImmediate(keep).unref();
  };
  setTimeout(keep, KEEP_AFTER_MS).unref();
  return exports;
}
