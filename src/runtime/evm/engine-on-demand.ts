import type { EvmEngineFactory } from '../../core/evm/engine.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { createEngineFactory } from './create-engine-factory.js';
import { loadEngineModule } from './load-engine.js';

/** A factory that loads the engine's module on first use, so that a process without contract calls never loads it. */
export function engineOnDemand(crypto: Crypto): EvmEngineFactory {
  return (hooks) => createEngineFactory(loadEngineModule(), crypto)(hooks);
}
