import { closeSync, fsyncSync, openSync } from 'node:fs';

/** fsync of a file or a directory. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
