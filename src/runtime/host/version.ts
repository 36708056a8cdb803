import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.js';

/** Version of this package, from package.json. */
export const VERSION = versionOf(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8'));

function versionOf(text: string): string {
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
