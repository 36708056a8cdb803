import { existsSync } from 'node:fs';

/**
 * Folder of this package, with a slash at its end: the nearest one with a package.json above this module, in `src`, in
 * a build or in a bundle.
 */
export const PACKAGE_ROOT = rootAbove(new URL('.', import.meta.url));

/** Entry of a worker thread in the build. */
export function workerEntry(name: 'executor' | 'pool' | 'recovery' | 'indexer'): URL {
  return new URL(`dist/runtime/workers/${name}.cjs`, PACKAGE_ROOT);
}

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('invariant: chronicled runs from its package');
  return rootAbove(parent);
}
