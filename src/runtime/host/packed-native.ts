/**
 * The native part of the transport in an installed package. `scripts/pack-native.js` packs the binaries of each
 * platform into one file, `native/<platform>-<arch>.br`, of which this machine unpacks its own at the first start. The
 * hash of the unpacked file is checked where it is loaded (`src/runtime/host/guard-native.ts`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { NativeTransport } from '../../adapters/transport/index.js';
import { PACKAGE_ROOT } from './package-root.js';
import { NATIVE_HASHES } from './native-hashes.js';

/** Before each binary: its Node ABI and its length, 32 bits each, big-endian. */
const HEADER_BYTES = 8;

let loaded: { readonly transport: NativeTransport | undefined } | undefined;

/**
 * Loads the transport's binary for this machine, once in a process; undefined where the package has none, and where the
 * C library cannot load it.
 */
export function loadPackedTransport(): NativeTransport | undefined {
  loaded ??= { transport: unpackAndLoad() };
  return loaded.transport;
}

function unpackAndLoad(): NativeTransport | undefined {
  const { platform, arch, versions } = process;
  const name = `uWebSockets.js/dist/bin/uws_${platform}_${arch}_${versions.modules}.node`;
  const kept = fileURLToPath(new URL(`dist/cache/${name}`, PACKAGE_ROOT));
  if (isGenuine(name, kept)) return load(kept);
  // The checkout has the package itself, which is of modules only: scripts of the build cannot require it.
  const installed = fileURLToPath(new URL(`node_modules/${name}`, PACKAGE_ROOT));
  if (existsSync(installed)) return load(installed);
  const packed = fileURLToPath(new URL(`native/${platform}-${arch}.br`, PACKAGE_ROOT));
  if (!existsSync(packed)) return undefined;
  const binary = binaryOf(packed, Number(versions.modules));
  if (binary === undefined) return undefined;
  if (write(kept, binary)) return load(kept);
  // A package that another user installed: a copy that is gone as soon as it was loaded.
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-native-'));
  try {
    const copy = join(folder, name);
    return write(copy, binary) ? load(copy) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True for a file that an earlier start unpacked whole. */
function isGenuine(name: string, file: string): boolean {
  return existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === NATIVE_HASHES[name];
}

function binaryOf(packed: string, abi: number): Buffer | undefined {
  const bytes = brotliDecompressSync(readFileSync(packed));
  for (let at = 0; at < bytes.length;) {
    const end = at + HEADER_BYTES + bytes.readUInt32BE(at + HEADER_BYTES / 2);
    if (bytes.readUInt32BE(at) === abi) return bytes.subarray(at + HEADER_BYTES, end);
    at = end;
  }
  return undefined;
}

/** Writes a file completely or not at all; false where it cannot be written. */
function write(file: string, bytes: Uint8Array): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, file);
    return true;
  } catch {
    return false;
  }
}

function load(file: string): NativeTransport | undefined {
  try {
    return createRequire(import.meta.url)(file);
  } catch {
    return undefined;
  }
}
