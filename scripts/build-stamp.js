/**
 * Decides whether `dist` was built from the present sources and packages, so that a needless build is skipped. The
 * stamp holds a digest of everything that a build reads and the names of the files that it wrote.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files of the root that a build reads. npm keeps a list of the installed packages in `node_modules`. */
const INPUTS = [
  'src',
  'scripts',
  'package.json',
  'tsconfig.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];
const STAMP = join('dist', 'built.json');

/** Digest of the names and contents of everything that a build of `root` reads. @param {string} root */
export function inputsDigest(root) {
  const hash = createHash('sha256').update(process.version);
  for (const input of INPUTS)
    for (const path of filesOf(root, input)) {
      const content = readFileSync(join(root, path));
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  return hash.digest('hex');
}

/** True when `dist` holds all files of a build with this digest. @param {string} root @param {string} digest */
export function isBuilt(root, digest) {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp)) return false;
  const { inputs, files } = JSON.parse(readFileSync(stamp, 'utf8'));
  return inputs === digest && files.every((file) => existsSync(join(root, 'dist', file)));
}

/**
 * Records that a build was made from sources with `digest`.
 * @param {string} root
 * @param {string} digest
 * @param {readonly string[]} files paths in `dist`
 */
export function writeStamp(root, digest, files) {
  writeFileSync(join(root, STAMP), JSON.stringify({ inputs: digest, files }));
}

/** The file itself, or the files of a folder, as paths relative to the root. */
function filesOf(root, input) {
  if (!existsSync(join(root, input))) return [];
  if (statSync(join(root, input)).isFile()) return [input];
  return readdirSync(join(root, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}
