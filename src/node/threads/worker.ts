import type { Worker } from 'node:worker_threads';
import type { Connect } from './requests.js';

/** Messages by a worker thread: each buffer moves to it. Its error or its end is told once it happens. */
export function throughWorker(worker: Worker): Connect {
  return (onReply, onLost) => {
    worker.on('message', (bytes: Uint8Array) => onReply(bytes));
    worker.on('error', (error) => onLost(error.message));
    worker.on('exit', (code) => onLost(`exit code ${code}`));
    return {
      post: (bytes) => worker.postMessage(bytes, [bytes.buffer]),
      stop: async () => void (await worker.terminate()),
    };
  };
}
