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
    /** Writes a file readable by its owner only, because the text may contain secrets. */
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
 * terminal, where Ctrl+C ends the process by its signal.
 */
export async function readLine(question: string, hidden: boolean): Promise<string | undefined> {
  const terminal = process.stdin.isTTY;
  const opened = await openInput(terminal);
  if (terminal) {
    // The line editor writes the last line again with each change of the answer.
    const last = question.lastIndexOf('\n') + 1;
    process.stderr.write(question.slice(0, last));
    opened.reader.setPrompt(question.slice(last));
    opened.reader.prompt();
  } else process.stderr.write(question);
  echo = !hidden;
  const next = await opened.lines.next();
  echo = true;
  if (terminal && (hidden || next.done === true)) process.stderr.write('\n');
  return next.done === true ? undefined : next.value;
}

/** Asks a person at a terminal for consent; the end of the input is none. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await readLine(question, false))?.trim() ?? '');
}

/** Opens standard input once: a second reader would miss lines that the first one has taken. */
async function openInput(
  terminal: boolean,
): Promise<{ readonly reader: Interface; readonly lines: AsyncIterator<string> }> {
  if (reader !== undefined && lines !== undefined) return { reader, lines };
  const quietable = new Writable({
    write(chunk, _, done) {
      if (echo) process.stderr.write(chunk);
      done();
    },
  });
  const { createInterface } = await import('node:readline');
  // A history would show a passphrase at the next question.
  reader = createInterface({
    input: process.stdin,
    output: terminal ? quietable : undefined,
    terminal,
    historySize: 0,
  });
  reader.on('SIGINT', endByInterrupt);
  lines = reader[Symbol.asyncIterator]();
  return { reader, lines };
}

/** Ends as at a Ctrl+C that no line editor takes, so that a script that runs the command ends, too. */
function endByInterrupt(): void {
  closeInput();
  process.stderr.write('\n');
  process.kill(process.pid, 'SIGINT');
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
