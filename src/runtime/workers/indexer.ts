import '../host/guard-native.js';
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../core/errors.js';
import { openLevelReader, openLevelWriter } from '../../store/leveldb/level-store.js';
import { ThreadGate } from '../../store/leveldb/thread-gate.js';
import { deriveIndex } from '../rebuild/index-of-log.js';
import type { IndexReply, IndexRequest } from '../rebuild/index-thread.js';
import { createPureCrypto } from '../host/crypto.js';
import { failedReply } from '../threads/failed-reply.js';
import { decodeMessage, encodeMessage } from '../threads/requests.js';

/** Entry of the thread that builds a database's attribute index from its log. */
const port = parentPort;
invariant(port !== null, 'an index is made in a worker thread');
const ranges: unknown = workerData;
invariant(ranges instanceof SharedArrayBuffer, 'the thread of an index shares the gate of its ranges');
const gate = new ThreadGate(ranges);

async function index(request: IndexRequest): Promise<IndexReply> {
  const source = await openLevelReader(request.source, gate);
  const target = await openLevelWriter(request.target, gate);
  try {
    await deriveIndex({ ...request, source, target, crypto: createPureCrypto() });
    return { kind: 'done' };
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

port.on('message', (bytes: Uint8Array) => {
  const { id, body } = decodeMessage<IndexRequest>(bytes);
  const answer = (reply: IndexReply): void => {
    const encoded = encodeMessage({ id, body: reply });
    port.postMessage(encoded, [encoded.buffer]);
  };
  index(body).then(answer, (error: unknown) => answer(failedReply(error)));
});
