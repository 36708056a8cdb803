/**
 * Writes `src/runtime/host/native-hashes.ts`: the SHA-256 of each native binary of the installed packages. Run it
 * after a change of their versions, on an installation that `npm ci` has checked against the lockfile.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['classic-level/prebuilds', 'secp256k1/prebuilds', 'uWebSockets.js/dist/bin'];

const lines = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, 'node_modules', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .sort()
    .map((name) => {
      const file = `${folder}/${name.replaceAll('\\', '/')}`;
      const hash = createHash('sha256')
        .update(readFileSync(join(root, 'node_modules', file)))
        .digest('hex');
      return `  '${file}': '${hash}',`;
    }),
);
const target = join(root, 'src/runtime/host/native-hashes.ts');
writeFileSync(
  target,
  `/** SHA-256 of each native binary, by its path in \`${'node_modules'}\`; \`scripts/native-hashes.js\` writes this file. */
export const NATIVE_HASHES: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
process.stdout.write(`${lines.length} hashes in ${dirname(target)}\n`);
