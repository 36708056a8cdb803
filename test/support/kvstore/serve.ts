import { parseAbciAddress, abciUrl, startAbciServer } from '../../../src/adapters/abci/index.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toTimeNs } from '../../../src/core/primitives.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../memory-store.js';
import { afterwards } from '../temporary.js';
import { KvStoreApplication } from './application.js';

/** The key-value application behind this node's ABCI server, until it is stopped or the test ends. */
export interface ServedKvStore {
  /** `tcp://host:port` or `unix://path` as bound. */
  readonly abci: string;
  stop(): Promise<void>;
}

/** Serves the application over `store`; what was not committed is lost with `stop`. */
export async function serveKvStore(
  address = 'tcp://127.0.0.1:0',
  store: KeyValueStore = new MemoryStore(),
): Promise<ServedKvStore> {
  const parsed = parseAbciAddress(address);
  if (parsed === undefined) throw new Error(`no address: ${address}`);
  const server = await startAbciServer({
    address: parsed,
    app: await KvStoreApplication.open(store, await createHostCrypto()),
    clock: { now: () => toTimeNs(0n) },
    log: { info: () => undefined, error: () => undefined },
  });
  const stop = () => server.stop();
  afterwards(stop);
  return { abci: abciUrl(server.address), stop };
}
