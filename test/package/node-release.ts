import { run } from './installed-package.js';

/**
 * Path of a release of Node.js from the registry; undefined, with the reason on standard output, when it is not
 * available.
 */
export async function nodeRelease(version: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await run('npx', ['-y', '-p', `node@${version}`, 'node', '-p', 'process.execPath']);
  const path = stdout.trim().split('\n').at(-1) ?? '';
  if (code === 0 && path !== '') return path;
  process.stdout.write(
    `Node ${version} cannot be had from the registry; what needs it is skipped: ${stderr.slice(0, 200)}\n`,
  );
  return undefined;
}
