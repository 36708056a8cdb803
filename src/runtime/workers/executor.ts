import '../host/guard-native.js';
import { parentPort } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import { openPointReader } from '../../store/leveldb/level-store.js';
import { answer } from '../executor/executor.js';
import { ExecutorCore } from '../executor/executor-core.js';
import { stateValues } from '../executor/state-values.js';
import { createHostCrypto } from '../host/crypto.js';

/**
 * Entry of the executor thread: one request buffer in, one reply buffer out. Reads the database by point reads and
 * never writes.
 */
const port = parentPort;
invariant(port !== null, 'the executor runs as a worker thread');
const core = createHostCrypto().then(
  (crypto) =>
    new ExecutorCore(
      crypto,
      async (location) => {
        invariant(location !== undefined, 'the executor thread needs the location of the database');
        return stateValues(await openPointReader(location));
      },
      () => process.hrtime.bigint(),
    ),
);
// Requests are handled in order: each waits for the previous one.
let last = Promise.resolve();
port.on('message', (bytes: Uint8Array) => {
  last = last.then(async () => {
    const reply = await answer(await core, bytes);
    port.postMessage(reply, [reply.buffer]);
  });
});
