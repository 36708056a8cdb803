import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyFiles } from '../../core/keys/keyring.js';
import { makeFolder } from '../../store/files/make-folder.js';
import { syncPath } from '../../store/files/sync-path.js';

/** Keyring files in a directory that only its owner can read; the first write creates the directory. */
export function createKeyFiles(directory: string): KeyFiles {
  return {
    read(file) {
      const path = join(directory, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    write(file, text) {
      makeFolder(directory);
      writeFileSync(join(directory, file), text, { mode: 0o600, flag: 'wx', flush: true });
      syncPath(directory);
    },
    remove: (file) => rmSync(join(directory, file), { force: true }),
    list: () => (existsSync(directory) ? readdirSync(directory) : []),
  };
}
