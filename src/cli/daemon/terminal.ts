import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { makeFolder } from '../../store/files/make-folder.js';

/** Text files of commands; relative paths are relative to the working directory. */
export function createTextFiles() {
  return {
    read(path: string): string | undefined {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    list(path: string): readonly string[] | undefined {
      try {
        return readdirSync(path).toSorted();
      } catch {
        return undefined;
      }
    },
    readInput: () => readAll(),
    /** Readable by the owner only, because the text may hold secrets. */
    write(path: string, text: string): void {
      makeFolder(dirname(path));
      writeFileSync(path, text, { mode: 0o600 });
    },
  };
}

let lines: AsyncIterator<string> | undefined;
let reader: Interface | undefined;
let echo = true;

/**
 * Asks on standard error and reads one line of standard input; undefined at its end. A hidden line is not echoed at a
 * terminal.
 */
export async function readLine(question: string, hidden: boolean): Promise<string | undefined> {
  process.stderr.write(question);
  if (lines === undefined) {
    const terminal = process.stdin.isTTY;
    const quietable = new Writable({
      write(chunk, _, done) {
        if (echo) process.stderr.write(chunk);
        done();
      },
    });
    const { createInterface } = await import('node:readline');
    reader = createInterface({ input: process.stdin, output: terminal ? quietable : undefined, terminal });
    lines = reader[Symbol.asyncIterator]();
  }
  echo = !hidden;
  const next = await lines.next();
  echo = true;
  if (hidden && process.stdin.isTTY) process.stderr.write('\n');
  return next.done === true ? undefined : next.value;
}

/** Releases standard input, so that the process can end. */
export function closeInput(): void {
  reader?.close();
}

async function readAll(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const part of process.stdin) text += String(part);
  return text;
}
