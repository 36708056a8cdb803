import { readFileSync } from 'node:fs';

/** Version of this package, from its package.json beside `dist`. */
export const VERSION = versionOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

function versionOf(text: string): string {
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
