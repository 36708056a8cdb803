import type { EvmEngineFactory } from '../../core/evm/engine.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { createEngineFactory } from './create-engine-factory.js';
import { loadEngineModule } from './load-engine.js';

/** A factory that loads the engine's module with the first engine: a process that never runs a contract never pays for it. */
export function engineOnDemand(crypto: Crypto): EvmEngineFactory {
  return (hooks) => createEngineFactory(loadEngineModule(), crypto)(hooks);
}
