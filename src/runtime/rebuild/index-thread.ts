import { Worker } from 'node:worker_threads';
import type { Height } from '../../core/primitives.js';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { workerEntry } from '../host/package-root.js';
import { errorOf, type FailedReply } from '../threads/failed-reply.js';
import { createRequests } from '../threads/requests.js';
import { throughWorker } from '../threads/worker.js';

/** Folders of databases that this process has open, and the part of the log that is indexed. */
export interface IndexRequest {
  readonly source: string;
  readonly target: string;
  readonly through: bigint;
  readonly indexedThrough: Height | undefined;
}

export type IndexReply = { readonly kind: 'done' } | FailedReply;

/** The attribute index of a database that is made from a log. */
export interface IndexWork {
  /** Resolves when every row is written. Rejects with CorruptionError for a damaged log. */
  readonly done: Promise<void>;
  /** Ends the work. */
  stop(): Promise<void>;
}

/** Makes the index in a thread of its own: it reads the log a second time, beside the rows that are made of it here. */
export function indexInThread(request: IndexRequest): IndexWork {
  const gate = new ThreadGate();
  const worker = new Worker(workerEntry('indexer'), { name: 'indexer', execArgv: [], workerData: gate.shared });
  const requests = createRequests<IndexRequest, IndexReply>(throughWorker(worker, gate));
  const done = requests.ask(request).then((reply) => {
    if (reply.kind === 'failed') throw errorOf(reply, (message) => new Error(message));
  });
  done.catch(() => undefined);
  return { done, stop: () => requests.stop() };
}
