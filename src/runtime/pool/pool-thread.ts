import { Worker } from 'node:worker_threads';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { errorOf } from '../threads/failed-reply.js';
import { createRequests, type Connect, type Requests } from '../threads/requests.js';
import type { ReplyThrottle } from '../threads/reply-throttle.js';
import { workerChannel } from '../threads/worker.js';
import { workerEntry } from '../host/package-root.js';
import type { ApplicationOptions } from '../executor/application-options.js';
import type { PoolThread } from './pool.js';
import { StreamFlow } from './stream-flow.js';
import type { PoolReply, PoolRequest, PoolThreadData } from './protocol.js';

/** Starts a worker thread on the database at `location` and opens it; its replies are handled through `turns`. */
export async function startPoolThread(
  options: ApplicationOptions,
  location: string,
  turns: ReplyThrottle,
): Promise<PoolThread> {
  const flow = new StreamFlow();
  const gate = new ThreadGate();
  const workerData: PoolThreadData = { flow: flow.shared, gate: gate.shared };
  const worker = new Worker(workerEntry('pool'), { name: 'pool', execArgv: [], workerData });
  return { ...(await openPoolThread(options, location, workerChannel(worker, gate), turns)), flow };
}

/** Opens a pool thread behind `connect`; throws when that fails. */
export async function openPoolThread(
  options: ApplicationOptions,
  location: string,
  connect: Connect,
  turns?: ReplyThrottle,
): Promise<Requests<PoolRequest, PoolReply>> {
  const thread = createRequests<PoolRequest, PoolReply>(connect, undefined, turns);
  const reply = await thread.ask({ kind: 'open', options, location });
  if (reply.kind === 'opened') return thread;
  await thread.stop();
  if (reply.kind === 'failed') throw errorOf(reply, (message) => new Error(message));
  throw new Error(`a thread of the pool answered ${reply.kind}`);
}
