import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { workerChannel } from '../../../src/runtime/threads/worker.js';
import { ThreadGate } from '../../../src/store/leveldb/thread-gate.js';

/** Begins a range and reports it; the range ends on command. */
const READER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const state = new Int32Array(workerData);
  Atomics.add(state, 0, 1);
  parentPort.postMessage('reads');
  parentPort.once('message', () => {
    parentPort.postMessage('has read');
    Atomics.sub(state, 0, 1);
  });`;

test('a thread that is reading a range is terminated only after the range', async () => {
  const gate = new ThreadGate();
  const worker = new Worker(READER, { eval: true, workerData: gate.shared });
  const received: unknown[] = [];
  worker.on('message', (message) => received.push(message));
  worker.on('exit', () => received.push('exit'));
  const port = workerChannel(worker, gate)(
    () => undefined,
    () => undefined,
  );
  await once(worker, 'message');
  const stopped = port.stop();
  worker.postMessage('end the range');
  await stopped;
  expect(received).toEqual(['reads', 'has read', 'exit']);
});
