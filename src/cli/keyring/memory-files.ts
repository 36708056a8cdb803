import type { KeyFiles } from '../../core/keys/keyring.js';

/** A keyring in memory, which ends with the command. */
export function memoryFiles(): KeyFiles {
  const files = new Map<string, string>();
  return {
    read: (file) => files.get(file),
    write: (file, text) => void files.set(file, text),
    remove: (file) => void files.delete(file),
    list: () => [...files.keys()],
  };
}
