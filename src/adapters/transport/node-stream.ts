import type { ServerResponse } from 'node:http';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { StallWatch } from './stall-watch.js';
import type { HttpResponse, StreamedResponse } from './server.js';

/**
 * Sends a streamed response at the client's pace; resolves when the body is handed over, or the connection has ended.
 * `headers` are added; `stallMs`: longest time without progress, milliseconds.
 */
export async function answerStreamed(
  native: ServerResponse,
  { status, stream, headers: own }: StreamedResponse,
  headers: HttpResponse['headers'],
  { isHead, timers, stallMs }: { readonly isHead: boolean; readonly timers: Timers; readonly stallMs: number },
): Promise<void> {
  let wake = (): void => undefined;
  native.once('close', () => {
    stream.end();
    wake();
  });
  const watch = new StallWatch(timers, stallMs, () => native.destroy());
  const write = async (chunk: Uint8Array): Promise<void> => {
    if (native.write(chunk)) return;
    watch.wrote(native.writableLength);
    await new Promise<void>((resolve) => {
      wake = resolve;
      native.once('drain', resolve);
    });
    watch.stop();
  };
  try {
    if (native.closed) return;
    native.writeHead(status, { ...own, ...headers });
    while (!isHead && !native.closed) {
      const piece = await stream.next();
      if (piece === undefined) break;
      for (let at = 0; at < piece.length && !native.closed; at += FIXED_LIMITS.streamChunkBytes)
        await write(piece.subarray(at, at + FIXED_LIMITS.streamChunkBytes));
    }
    native.end();
  } catch {
    // destroy the connection: a missing end is the only way to signal the failure
    native.destroy();
  } finally {
    watch.stop();
    stream.end();
  }
}
