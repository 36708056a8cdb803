import { createRequire } from 'node:module';
import type Secp256k1 from 'secp256k1';

const require = createRequire(import.meta.url);
let loaded: typeof Secp256k1 | undefined;

/**
 * The native addon, loaded at its first use: a thread that is ended while it loads this one takes the process with it
 * (`Napi::Error`, SIGABRT), and a start that fails ends the executor's thread while it loads its modules.
 */
export function nativeSecp256k1(): typeof Secp256k1 {
  return (loaded ??= require('secp256k1'));
}
