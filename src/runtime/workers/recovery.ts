import '../host/guard-native.js';
import { parentPort } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import type { RecoveryInput } from '../../core/ethereum/transaction-sender.js';
import { recoverSecp256k1 } from '../host/native-secp256k1.js';
import { decodeMessage, encodeMessage } from '../threads/requests.js';

/** Entry of the sender recovery thread: signatures in, public keys out. */
const port = parentPort;
invariant(port !== null, 'senders are recovered in a worker thread');
port.on('message', (bytes: Uint8Array) => {
  const { id, body } = decodeMessage<readonly RecoveryInput[]>(bytes);
  const keys = body.map(({ digest, signature, yParity }) => recoverSecp256k1(digest, signature, yParity));
  const answer = encodeMessage({ id, body: keys });
  port.postMessage(answer, [answer.buffer]);
});
