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

/** Path of a bundle of the thread with these mutations; rejects when a file of one is not in it. */
export async function bundled(mutations: readonly Mutation[]): Promise<string> {
  const file = join(temporaryFolder(), 'mutant.mjs');
  const missing = new Set(mutations.map((mutation) => mutation.file));
  const plant: Plugin = {
    name: 'plant',
    transform(source, id) {
      const here = mutations.filter((mutation) => id === join(ROOT, mutation.file));
      for (const mutation of here) missing.delete(mutation.file);
      return here.length === 0 ? null : { code: here.reduce((code, mutation) => mutated(mutation, code), source) };
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
  if (missing.size > 0) throw new Error(`no part of any target: ${[...missing].join(', ')}`);
  return file;
}

/** Runs a bundled thread, and resolves with what the model found; rejects after `ms` milliseconds. */
export async function verdictOf(file: string, search: Search, ms: number): Promise<Verdict> {
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
