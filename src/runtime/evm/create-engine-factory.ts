import type { EvmEngineFactory } from '../../core/evm/engine.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { EngineInstance } from './engine-instance.js';
import { WasmEngine } from './wasm-engine.js';

/**
 * Creates a factory of engines that share one compiled module (`loadEngineModule`). Each engine instantiates it on
 * first use.
 */
export function createEngineFactory(module: WebAssembly.Module, crypto: Crypto): EvmEngineFactory {
  return (hooks = {}) =>
    new WasmEngine(() => new EngineInstance(module, crypto, hooks), hooks.interrupted !== undefined);
}
