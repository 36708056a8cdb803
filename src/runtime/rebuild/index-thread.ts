import { Worker } from 'node:worker_threads';
import type { Height } from '../../core/primitives.js';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { workerEntry } from '../host/package-root.js';
import { errorOf, type FailedReply } from '../threads/failed-reply.js';
import { createRequests } from '../threads/requests.js';
import { workerChannel } from '../threads/worker.js';

/** Request to the index thread: folders of databases open in this process, and the range of the log to index. */
export interface IndexRequest {
  readonly source: string;
  readonly target: string;
  readonly through: bigint;
  readonly indexedThrough: Height | undefined;
}

export type IndexReply = { readonly kind: 'done' } | FailedReply;

/** Handle of a running index build. */
export interface IndexWork {
  /** Resolves when all rows are written. Rejects with CorruptionError for a damaged log. */
  readonly done: Promise<void>;
  /** Stops the thread. */
  stop(): Promise<void>;
}

/** Builds the index in a separate thread, which reads the log a second time in parallel with the main pass. */
export function indexInThread(request: IndexRequest): IndexWork {
  const gate = new ThreadGate();
  const worker = new Worker(workerEntry('indexer'), { name: 'indexer', execArgv: [], workerData: gate.shared });
  const requests = createRequests<IndexRequest, IndexReply>(workerChannel(worker, gate));
  const done = requests.ask(request).then((reply) => {
    if (reply.kind === 'failed') throw errorOf(reply, (message) => new Error(message));
  });
  done.catch(() => undefined);
  return { done, stop: () => requests.stop() };
}
