import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Output of git; undefined where the checkout is no repository (a tarball), or has no such object. */
export function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const names = git('ls-files', '-z')?.split('\0') ?? [];

/** Files as git has them, by their paths from the root; none in a tarball. */
export const TRACKED: readonly string[] = names.filter((file) => file !== '');

/** False in a tarball, where rules about the files of git have nothing to judge. */
export const isRepository = TRACKED.length > 0;
