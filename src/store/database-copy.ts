import { copyFileSync, linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A database in a temporary folder. */
export interface DatabaseCopy {
  readonly directory: string;
  remove(): void;
}

/** Files that LevelDB makes at every open. */
const MADE_AT_OPEN: ReadonlySet<string> = new Set(['LOCK', 'LOG', 'LOG.old']);

/**
 * Copies a database into a temporary folder, because LevelDB writes at every open. Tables, which LevelDB never changes,
 * are linked where the file system can.
 */
export function copyDatabase(directory: string): DatabaseCopy {
  const copy = mkdtempSync(join(tmpdir(), 'chronicle-read-'));
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    for (const { name } of readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      if (MADE_AT_OPEN.has(name)) continue;
      if (!/\.(ldb|sst)$/.test(name) || !linked(join(directory, name), join(copy, name)))
        copyFileSync(join(directory, name), join(copy, name));
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { directory: copy, remove };
}

/** False where the file system does not link, for example to another one. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
