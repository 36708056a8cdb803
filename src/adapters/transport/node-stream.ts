import type { ServerResponse } from 'node:http';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { StallWatch } from './stall-watch.js';
import type { HttpResponse, StreamedResponse } from './server.js';

/**
 * Sends an answer as its client takes it; resolves when the body was handed over, or the connection ended. `headers`
 * are added to those of the answer; `stallMs`: longest time for which bytes wait, milliseconds.
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
    // the client can see it by the missing end only
    native.destroy();
  } finally {
    watch.stop();
    stream.end();
  }
}
