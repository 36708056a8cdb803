/**
 * Folders and processes of a test outside of this process, and their removal: at the end of the test that made them, or
 * of its file when no test was running. `run-folder.ts` removes those of a killed worker.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Undo = () => void | Promise<void>;

const ofFile: Undo[] = [];
let ofTest: Undo[] | undefined;

/** Begins a test: folders and processes that it makes are removed after it. */
export function beginTest(): void {
  ofTest = [];
}

/** False while a file is set up, and between its tests. */
export const isTestRunning = (): boolean => ofTest !== undefined;

/** Ends a test: removes everything that it made. */
export async function endTest(): Promise<void> {
  const undos = ofTest ?? [];
  ofTest = undefined;
  await undoAll(undos);
}

/** Ends a file: removes everything that it made outside of its tests. */
export const endFile = (): Promise<void> => undoAll(ofFile);

/**
 * Runs `undo` after the running test, or after the file when none runs: the last one first, each one even if another
 * fails.
 */
export function afterwards(undo: Undo): void {
  (ofTest ?? ofFile).push(undo);
}

/** Runs `undo` after the running file, also when it is called within a test. */
export const afterFile = (undo: Undo): void => void ofFile.push(undo);

/** An empty folder, removed afterwards, or at the time that `later` says. */
export function temporaryFolder(later = afterwards): string {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-'));
  later(() => removeFolder(folder));
  return folder;
}

/** Removes a folder early: a test that makes many keeps the disk free. */
export function removeFolder(folder: string): void {
  // A process that is ending may still write, so the removal is tried again.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function undoAll(undos: Undo[]): Promise<void> {
  const failures: unknown[] = [];
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    try {
      await undo();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'something of the test could not be taken away');
}
