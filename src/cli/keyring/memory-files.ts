import type { KeyFiles } from '../../core/keys/keyring.js';

/** Keyring files in memory, for one command. */
export function memoryFiles(): KeyFiles {
  const files = new Map<string, string>();
  return {
    read: (file) => files.get(file),
    write: (file, text) => void files.set(file, text),
    remove: (file) => void files.delete(file),
    list: () => [...files.keys()],
  };
}
