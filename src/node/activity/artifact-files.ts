/** Finds files of compiled contracts in local project folders. */
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, relative, isAbsolute, sep } from 'node:path';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Folders in which hardhat and foundry write compiled contracts, relative to the folder of a project. */
const USUAL_FOLDERS: readonly string[] = ['artifacts', 'out'];
/** Folders without artifacts: hardhat keeps compiler input and output in `build-info`. */
const LEFT_OUT: ReadonlySet<string> = new Set(['build-info', 'node_modules', 'cache']);

/** The given folders, else those of hardhat and foundry, which may be created later. */
export function artifactFolders(configured: readonly string[]): readonly string[] {
  return configured.length > 0 ? configured : USUAL_FOLDERS;
}

/** A file by its path, with the time of its last change. */
export type Files = ReadonlyMap<string, number>;

/**
 * Lists the files in folders, up to limits on number, depth and bytes. Symbolic links are not followed, except that a
 * default folder may be a link to a folder inside `base`, the working directory of the node.
 */
export async function artifactFiles(folders: readonly string[], base = '.'): Promise<Files> {
  const listing = { files: new Map<string, number>(), bytes: 0 };
  for (const name of folders) {
    const folder = isAbsolute(name) ? name : join(base, name);
    if (!USUAL_FOLDERS.includes(name) || (await isInside(base, folder))) await collect(folder, 0, listing);
  }
  return listing.files;
}

async function isInside(base: string, folder: string): Promise<boolean> {
  try {
    const path = relative(await realpath(base), await realpath(folder));
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}

async function collect(
  folder: string,
  depth: number,
  listing: { readonly files: Map<string, number>; bytes: number },
): Promise<void> {
  if (depth > FIXED_LIMITS.artifactDepth) return;
  try {
    for await (const entry of await opendir(folder)) {
      if (listing.files.size >= FIXED_LIMITS.artifactFiles) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) await collect(path, depth + 1, listing);
      else if (entry.isFile() && /(?<!\.dbg|\.metadata)\.json$/.test(entry.name)) {
        const { size, mtimeMs } = await lstat(path);
        if (size > FIXED_LIMITS.artifactBytes || listing.bytes + size > FIXED_LIMITS.artifactsBytes) continue;
        listing.bytes += size;
        listing.files.set(path, mtimeMs);
      }
    }
  } catch {
    // The folder does not exist, or was removed meanwhile.
  }
}
