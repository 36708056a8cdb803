import { existsSync } from 'node:fs';

/**
 * URL of this package's folder, with trailing slash: the nearest folder above this module with a package.json, whether
 * in `src`, a build or a bundle.
 */
export const PACKAGE_ROOT = rootAbove(new URL('.', import.meta.url));

/** URL of a worker thread's entry file in the build. */
export function workerEntry(name: 'executor' | 'pool' | 'recovery' | 'indexer'): URL {
  return new URL(`dist/runtime/workers/${name}.cjs`, PACKAGE_ROOT);
}

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('invariant: chronicled runs from its package');
  return rootAbove(parent);
}
