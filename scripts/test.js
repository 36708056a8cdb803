/**
 * Runs every test and, in parallel, the checks of format, types and lint (`npm run check`). Fails if either fails.
 * The checks print nothing unless they fail.
 *
 *     node scripts/test.js [options and files of vitest]
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));

/**
 * Environment of the compiler and the linter. They are Go programs; this setting makes them collect garbage less
 * often.
 */
const env = { ...process.env, GOGC: '300' };

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {'inherit' | 'pipe'} output `pipe` collects both streams and prints them at the end of a failure
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
function run(program, args, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output] });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(printed));
      resolve(code ?? 1);
    });
  });
}

const codes = await Promise.all([
  run('npm', ['run', '-s', 'check'], 'pipe'),
  run('npx', ['vitest', 'run', ...process.argv.slice(2)], 'inherit'),
]);
if (codes[0] !== 0) process.stderr.write('npm run check fails: what it says is above\n');
process.exitCode = codes.find((code) => code !== 0) ?? 0;
