import '../host/guard-native.js';
import { parentPort } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import { openLevelReader } from '../../store/level-store.js';
import { createEngineFactory } from '../evm/create-engine-factory.js';
import { loadEngineModule } from '../evm/load-engine.js';
import { createHostCrypto } from '../host/crypto.js';
import { PoolCore } from '../pool/pool-core.js';
import type { PoolReply, PoolRequest } from '../pool/protocol.js';
import { failedReply } from '../threads/failed-reply.js';
import { decodeMessage, encodeMessage } from '../threads/requests.js';

/** Entry of a pool thread: one buffer in, one buffer out, one task at a time. It only reads. */
const port = parentPort;
invariant(port !== null, 'the pool runs in worker threads');
const core = createHostCrypto().then(
  (crypto) =>
    new PoolCore({
      crypto,
      openStore: openLevelReader,
      evm: createEngineFactory(loadEngineModule(), crypto),
      elapsed: () => performance.now(),
    }),
);
port.on('message', (bytes: Uint8Array) => {
  const { id, body } = decodeMessage<PoolRequest>(bytes);
  const answer = (reply: PoolReply): void => {
    const encoded = encodeMessage({ id, body: reply });
    port.postMessage(encoded, [encoded.buffer]);
  };
  core.then((ready) => ready.handle(body)).then(answer, (error: unknown) => answer(failedReply(error)));
});
