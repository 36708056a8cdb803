import type { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ThreadGate } from '../../store/leveldb/thread-gate.js';
import type { Connect } from './requests.js';

/** Polling interval of the gate, milliseconds. */
const LOOK_MS = 1;

/**
 * Connects to a worker thread; buffers are transferred, not copied. Reports the thread's error or exit. `stop` waits
 * for running LevelDB ranges (`gate`), at most `stopMs`, before it terminates the thread.
 */
export function workerChannel(worker: Worker, gate?: Pick<ThreadGate, 'close' | 'isIdle'>): Connect {
  return (onReply, onLost) => {
    worker.on('message', (bytes: Uint8Array) => onReply(bytes));
    worker.on('error', (error) => onLost(error.message));
    worker.on('exit', (code) => onLost(`exit code ${code}`));
    return {
      post: (bytes) => worker.postMessage(bytes, [bytes.buffer]),
      async stop() {
        gate?.close();
        const until = performance.now() + FIXED_LIMITS.stopMs;
        while (gate?.isIdle === false && performance.now() < until) await pause(LOOK_MS);
        await worker.terminate();
      },
    };
  };
}
