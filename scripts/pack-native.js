/**
 * Packs the binaries of the native transport for the package: `native/<platform>-<arch>.br` holds one binary for each
 * supported Node.js release, each behind its ABI and its length (32 bits each, big-endian). The binaries are nearly
 * equal, so the compressed file is about as small as one of them. `src/runtime/host/packed-native.ts` unpacks it.
 *
 *     node scripts/pack-native.js              packs every platform
 *     node scripts/pack-native.js linux-x64    packs one platform
 *     node scripts/pack-native.js --unpacked   packs none; places this machine's binary where a first start would
 *                                              unpack it, for an image whose files cannot be written
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const binaries = join(root, 'node_modules', 'uWebSockets.js', 'dist', 'bin');
const target = join(root, 'native');

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'];
/** ABIs of Node 20 and Node 22; the package has no binaries for Node 24 and 26. */
const ABIS = [115, 127];
/** Lowest quality that finds the second binary in the first. Quality 9 takes twice as long and saves 2 percent. */
const QUALITY = 7;
/** Window of 16 MiB, large enough to reach back into the first binary. */
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
