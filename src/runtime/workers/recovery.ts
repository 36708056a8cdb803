import '../host/guard-native.js';
import { parentPort } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import { recoverKeys } from '../recovery/recovery-batch.js';
import { recoverSecp256k1 } from '../host/native-secp256k1.js';
import { decodeMessage, encodeMessage } from '../threads/requests.js';

/** Entry of the thread that recovers the senders of batches: signatures in, keys out. */
const port = parentPort;
invariant(port !== null, 'senders are recovered in a worker thread');
port.on('message', (bytes: Uint8Array) => {
  const { id, body } = decodeMessage<Uint8Array>(bytes);
  const answer = encodeMessage({ id, body: recoverKeys(recoverSecp256k1, body) });
  port.postMessage(answer, [answer.buffer]);
});
