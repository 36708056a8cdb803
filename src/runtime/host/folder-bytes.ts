import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Total size of the files below a folder, bytes; files that vanish meanwhile do not count. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries.filter((one) => one.isFile()))
    bytes += await lstat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  return bytes;
}
