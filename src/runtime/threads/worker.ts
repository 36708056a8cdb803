import type { Worker } from 'node:worker_threads';
import type { Connect } from './requests.js';

/** Transports messages to a worker thread, transferring each buffer; reports the thread's error or end. */
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
