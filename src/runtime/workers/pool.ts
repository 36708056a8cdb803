import '../host/guard-native.js';
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import { openLevelReader } from '../../store/leveldb/level-store.js';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { createEngineFactory } from '../evm/create-engine-factory.js';
import { loadEngineModule } from '../evm/load-engine.js';
import { createHostCrypto } from '../host/crypto.js';
import { PoolCore } from '../pool/pool-core.js';
import type { PoolReply, PoolRequest, PoolThreadData } from '../pool/protocol.js';
import { StreamFlow } from '../pool/stream-flow.js';
import { failedReply } from '../threads/failed-reply.js';
import { decodeMessage, encodeMessage, type Envelope } from '../threads/requests.js';

/**
 * Entry of a pool thread: one request buffer in, optional trace parts and one reply buffer out, one task at a time.
 * Read-only.
 */
const port = parentPort;
invariant(port !== null, 'the pool runs in worker threads');
const { flow: parts, gate: ranges }: PoolThreadData = workerData;
const flow = new StreamFlow(parts);
const gate = new ThreadGate(ranges);
const core = createHostCrypto().then(
  (crypto) =>
    new PoolCore({
      crypto,
      openStore: (location) => openLevelReader(location, gate),
      evm: createEngineFactory(loadEngineModule(), crypto),
      elapsed: () => performance.now(),
      flow,
    }),
);
port.on('message', (bytes: Uint8Array) => {
  const { id, body } = decodeMessage<PoolRequest>(bytes);
  const post = (envelope: Envelope<PoolReply>): void => {
    const encoded = encodeMessage(envelope);
    port.postMessage(encoded, [encoded.buffer]);
  };
  const answer = (reply: PoolReply): void => post({ id, body: reply });
  core
    .then((ready) => ready.handle(body, (part) => post({ id, body: { kind: 'part', part }, more: true })))
    .then(answer, (error: unknown) => answer(failedReply(error)));
});
