import { createRequire } from 'node:module';
import type Secp256k1 from 'secp256k1';

const require = createRequire(import.meta.url);
let loaded: typeof Secp256k1 | undefined;

/**
 * The native addon, loaded on first use. A thread that is ended while it loads the addon ends the whole process
 * (`Napi::Error`, SIGABRT), and a failing start ends the executor's thread while that loads its modules.
 */
export function nativeSecp256k1(): typeof Secp256k1 {
  return (loaded ??= require('secp256k1'));
}
