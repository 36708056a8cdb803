/**
 * The transport's native binary in an installed package. `scripts/pack-native.js` packs the binaries of each platform
 * into one file, `native/<platform>-<arch>.br`; the first start unpacks the one for this machine. Its hash is checked
 * when it is loaded (`src/runtime/host/guard-native.ts`).
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

/** Header before each binary: Node ABI and length, 32 bits each, big-endian. */
const HEADER_BYTES = 8;

let loaded: { readonly transport: NativeTransport | undefined } | undefined;

/**
 * Loads the transport's binary for this machine, once per process; undefined when the package has none, or the C
 * library cannot load it.
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
  // In a checkout the package itself is installed; as an ES module it cannot be required by build scripts.
  const installed = fileURLToPath(new URL(`node_modules/${name}`, PACKAGE_ROOT));
  if (existsSync(installed)) return load(installed);
  const packed = fileURLToPath(new URL(`native/${platform}-${arch}.br`, PACKAGE_ROOT));
  if (!existsSync(packed)) return undefined;
  const binary = binaryOf(packed, Number(versions.modules));
  if (binary === undefined) return undefined;
  if (write(kept, binary)) return load(kept);
  // The package folder is read-only (installed by another user): load a temporary copy.
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-native-'));
  try {
    const copy = join(folder, name);
    return write(copy, binary) ? load(copy) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True for a complete file unpacked by an earlier start. */
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

/** Writes a file atomically; false when it cannot be written. */
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
