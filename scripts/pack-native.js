/**
 * Packs the native transport's binaries for the package: `native/<platform>-<arch>.br` holds those of the supported
 * releases of Node.js, each behind its ABI and its length (32 bits each, big-endian). They are nearly equal, so that
 * one compressed file is as small as one of them; `src/runtime/host/packed-native.ts` unpacks it.
 *
 *     node scripts/pack-native.js              for every platform
 *     node scripts/pack-native.js linux-x64    for one
 *     node scripts/pack-native.js --unpacked   none; puts this machine's where a first start would unpack it, for an
 *                                              image whose files cannot be written
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const binaries = join(root, 'node_modules', 'uWebSockets.js', 'dist', 'bin');
const target = join(root, 'native');

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'];
/** Node 20 and Node 22; the package has no binaries for Node 24 and 26. */
const ABIS = [115, 127];
/** The lowest quality at which the second binary is found in the first; 9 takes twice as long for a fiftieth less. */
const QUALITY = 7;
/** A window of 16 MiB, in which the second binary finds the first. */
const WINDOW = 24;

const asked = process.argv.slice(2);
if (asked.includes('--unpacked')) {
  const { platform, arch, versions } = process;
  const name = `uws_${platform}_${arch}_${versions.modules}.node`;
  cpSync(join(binaries, name), join(root, 'dist', 'cache', 'uWebSockets.js', 'dist', 'bin', name));
  process.exit();
}
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const platform of PLATFORMS.filter((name) => asked.length === 0 || asked.includes(name))) {
  const parts = ABIS.flatMap((abi) => {
    const binary = readFileSync(join(binaries, `uws_${platform.replace('-', '_')}_${abi}.node`));
    const header = Buffer.alloc(8);
    header.writeUInt32BE(abi, 0);
    header.writeUInt32BE(binary.length, 4);
    return [header, binary];
  });
  const packed = brotliCompressSync(Buffer.concat(parts), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: WINDOW },
  });
  writeFileSync(join(target, `${platform}.br`), packed);
}
