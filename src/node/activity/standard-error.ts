import { write } from 'node:fs';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { WriteText } from './line-writer.js';

const STANDARD_ERROR = 2;

/**
 * Writes to standard error from a thread of libuv. `process.stderr` writes on the main thread, which a terminal that is
 * stopped by Ctrl+S, or a pipe whose reader is busy, would hold.
 */
export const writeStandardError: WriteText = (text, done) => writeAll(Buffer.from(text), done);

function writeAll(bytes: Buffer, done: (error: Error | undefined) => void): void {
  write(STANDARD_ERROR, bytes, 0, bytes.length, null, (error, written) => {
    // A pipe that another process made non-blocking is full.
    if (error?.code === 'EAGAIN') setTimeout(() => writeAll(bytes, done), FIXED_LIMITS.standardErrorPauseMs).unref();
    else if (error !== null) done(error);
    else if (written < bytes.length) writeAll(bytes.subarray(written), done);
    else done(undefined);
  });
}
