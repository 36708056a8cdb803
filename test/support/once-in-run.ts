/** A fixture that takes long to make and that no test changes: made once per run, for all files and workers. */
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder that `make` filled, which is there until the end of the run (`run-folder.ts`). The first caller makes it,
 * the others wait for it; all of them reject when it could not be made.
 */
export async function onceInRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), `once-${name}`);
  const made = `${folder}.made`;
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const problem = await make(folder).then(
      () => '',
      (error: unknown) => String(error),
    );
    writeFileSync(made, problem);
  }
  await exists(made);
  const problem = readFileSync(made, 'utf8');
  if (problem !== '') throw new Error(`${name} could not be made: ${problem}`);
  return folder;
}

/** Resolves when a file of the run's folder is there. */
function exists(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(tmpdir(), check);
    check();

    function check(): void {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    }
  });
}
