import { Worker } from 'node:worker_threads';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { errorOf } from '../threads/failed-reply.js';
import { createRequests, type Connect, type Requests } from '../threads/requests.js';
import type { ReplyTurns } from '../threads/reply-turns.js';
import { throughWorker } from '../threads/worker.js';
import { workerEntry } from '../host/package-root.js';
import type { ApplicationOptions } from '../executor/application-options.js';
import type { PoolThread } from './pool.js';
import { StreamFlow } from './stream-flow.js';
import type { PoolReply, PoolRequest, PoolThreadData } from './protocol.js';

/** Starts a worker thread over the database at `location` and opens it; its replies are handled in `turns`. */
export async function startPoolThread(
  options: ApplicationOptions,
  location: string,
  turns: ReplyTurns,
): Promise<PoolThread> {
  const flow = new StreamFlow();
  const gate = new ThreadGate();
  const workerData: PoolThreadData = { flow: flow.shared, gate: gate.shared };
  const worker = new Worker(workerEntry('pool'), { name: 'pool', execArgv: [], workerData });
  return { ...(await openPoolThread(options, location, throughWorker(worker, gate), turns)), flow };
}

/** Opens a thread of the pool at the other end of `connect`; throws where it cannot. */
export async function openPoolThread(
  options: ApplicationOptions,
  location: string,
  connect: Connect,
  turns?: ReplyTurns,
): Promise<Requests<PoolRequest, PoolReply>> {
  const thread = createRequests<PoolRequest, PoolReply>(connect, undefined, turns);
  const reply = await thread.ask({ kind: 'open', options, location });
  if (reply.kind === 'opened') return thread;
  await thread.stop();
  if (reply.kind === 'failed') throw errorOf(reply, (message) => new Error(message));
  throw new Error(`a thread of the pool answered ${reply.kind}`);
}
