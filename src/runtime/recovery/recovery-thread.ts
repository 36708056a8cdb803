import { Worker } from 'node:worker_threads';
import type { RecoveryInput } from '../../core/ethereum/transaction-sender.js';
import { workerEntry } from '../host/package-root.js';
import { createRequests } from '../threads/requests.js';
import { workerChannel } from '../threads/worker.js';
import type { RecoveryThread } from './sender-recovery.js';

/** Starts a thread that recovers public keys. */
export function startRecoveryThread(): RecoveryThread {
  const worker = new Worker(workerEntry('recovery'), { name: 'recovery', execArgv: [] });
  const requests = createRequests<readonly RecoveryInput[], readonly (Uint8Array | undefined)[]>(workerChannel(worker));
  return { recover: (inputs) => requests.ask(inputs), stop: () => requests.stop() };
}
