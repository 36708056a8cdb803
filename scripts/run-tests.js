import { spawnSync } from 'node:child_process';

/**
 * Runs vitest and exits with its exit code. Undefined variables are left out.
 *
 * @param {readonly string[]} words files and options of vitest
 * @param {Readonly<Record<string, string | undefined>>} variables environment beside that of this process
 */
export function runTests(words, variables) {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  const env = { ...process.env, ...Object.fromEntries(given) };
  const { status } = spawnSync('npx', ['vitest', 'run', ...words], { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
}
