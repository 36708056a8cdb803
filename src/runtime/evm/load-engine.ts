import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../host/package-root.js';

const ENGINE = new URL('engine/engine.wasm', PACKAGE_ROOT);

let compiled: WebAssembly.Module | undefined;

/** The engine's module, compiled once per thread (10-20 ms the first time). */
export function loadEngineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(ENGINE));
  return compiled;
}
