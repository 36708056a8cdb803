import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../host/package-root.js';

const ENGINE = new URL('engine/engine.wasm', PACKAGE_ROOT);

let compiled: WebAssembly.Module | undefined;

/** Loads the engine's module; compiled once per thread (10-20 ms). */
export function loadEngineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(ENGINE));
  return compiled;
}
