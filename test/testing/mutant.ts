/** The real engine with a bug in its source; the model is run against it in a separate thread. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown, type Plugin } from 'rolldown';
import { temporaryFolder } from '../support/temporary.js';
import type { Mutation } from './mutations.js';
import type { Search, Verdict } from './mutant-thread.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Replaces a piece of one source file; throws when the file does not contain it exactly once. */
export function mutated({ file, from, to }: Mutation, source: string): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times the text\n${from}`);
  return parts.join(to);
}

/** Bundles the thread with the bug, and resolves with what the model found; rejects after `ms` milliseconds. */
export async function verdictOn(
  mutation: Mutation,
  options: Omit<Search, 'target' | 'limits'>,
  ms: number,
): Promise<Verdict> {
  const search: Search = { ...options, target: mutation.target, limits: mutation.limits };
  const file = join(temporaryFolder(), 'mutant.mjs');
  await bundle(file, mutation);
  return await run(file, search, ms);
}

async function bundle(file: string, mutation: Mutation): Promise<void> {
  let isPlanted = false;
  const plant: Plugin = {
    name: 'plant',
    transform(code, id) {
      if (id !== join(ROOT, mutation.file)) return null;
      isPlanted = true;
      return { code: mutated(mutation, code) };
    },
  };
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    tsconfig: join(ROOT, 'tsconfig.json'),
    input: join(ROOT, 'test/testing/mutant-thread.ts'),
    plugins: [plant],
    logLevel: 'silent',
  });
  await build.write({ file, format: 'esm', codeSplitting: false });
  await build.close();
  if (!isPlanted) throw new Error(`${mutation.file} is no part of the target "${mutation.target}"`);
}

async function run(file: string, search: Search, ms: number): Promise<Verdict> {
  const worker = new Worker(file, { workerData: search, stdout: true, stderr: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Verdict>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended without a verdict: a promise never settled')));
      timer = setTimeout(() => reject(new Error(`no verdict after ${ms} ms`)), ms);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
