/**
 * Verifies the recorded hash of each prebuilt native binary of the packages below just before this thread loads it.
 * Program entries import this module first. Binaries compiled on this machine (`build/`) and binaries of other packages
 * are not checked.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NATIVE_HASHES } from './native-hashes.js';

/** Matches prebuilt binaries in `node_modules`. */
const PREBUILT = /(?:^|\/)((?:classic-level|secp256k1)\/prebuilds\/.+|uWebSockets\.js\/dist\/bin\/.+)$/;

/** Throws when `file` is a prebuilt binary of a guarded package and its hash is not the recorded one. */
export function checkNative(file: string, read: (file: string) => Uint8Array = readFileSync): void {
  const name = PREBUILT.exec(file.replaceAll('\\', '/'))?.[1];
  if (name === undefined) return;
  if (createHash('sha256').update(read(file)).digest('hex') === NATIVE_HASHES[name]) return;
  throw new Error(
    `the native binary ${name} is not the one that this build was made with; install it again with npm ci`,
  );
}

const load = process.dlopen.bind(process);

process.dlopen = (module: object, file: string, flags?: number): void => {
  try {
    checkNative(file);
  } catch (error) {
    // Reported here, because packages with a JavaScript fallback swallow the error.
    process.stderr.write(`E_NATIVE_BINARY: ${error instanceof Error ? error.message : String(error)}\n`);
    throw error;
  }
  if (flags === undefined) load(module, file);
  else load(module, file, flags);
};
