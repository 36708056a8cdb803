import type { EvmEngineFactory } from '../../src/core/evm/engine.js';
import type { Crypto } from '../../src/core/ports/crypto.js';
import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import type { ApplicationOptions } from '../../src/runtime/executor/application-options.js';
import { PoolCore } from '../../src/runtime/pool/pool-core.js';
import { openPoolThread } from '../../src/runtime/pool/pool-thread.js';
import type { PoolThread } from '../../src/runtime/pool/pool.js';
import type { PoolReply, PoolRequest } from '../../src/runtime/pool/protocol.js';
import { decodeMessage, encodeMessage } from '../../src/runtime/threads/requests.js';

/** A pool thread in this process: the same bytes are encoded and decoded. It cannot wait, so traces come whole. */
export async function startInProcessPool(
  options: ApplicationOptions,
  host: {
    readonly crypto: Crypto;
    readonly evm: EvmEngineFactory;
    readonly store: Pick<KeyValueStore, 'get' | 'range'>;
    readonly elapsed: () => number;
  },
): Promise<PoolThread> {
  return openPoolThread(options, '', (onReply) => {
    const core = new PoolCore({
      crypto: host.crypto,
      evm: host.evm,
      elapsed: host.elapsed,
      openStore: () => Promise.resolve(host.store),
    });
    return {
      post(bytes) {
        const { id, body } = decodeMessage<PoolRequest>(bytes);
        void core.handle(body, () => undefined).then((reply) => onReply(encodeMessage<PoolReply>({ id, body: reply })));
      },
      stop: () => Promise.resolve(),
    };
  });
}
