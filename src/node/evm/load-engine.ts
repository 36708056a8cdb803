import { readFileSync } from 'node:fs';

/** `engine/engine.wasm` of the package, seen from `src/node/evm` and `dist/node/evm` alike. */
const ENGINE = new URL('../../../engine/engine.wasm', import.meta.url);

let compiled: WebAssembly.Module | undefined;

/** The engine's module, compiled once per thread (10-20 ms the first time). */
export function loadEngineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(ENGINE));
  return compiled;
}
