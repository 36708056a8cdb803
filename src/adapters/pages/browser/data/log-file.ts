/** A `log export` file opened by the user; it is independent of the node's chain. */
import { signal } from '@preact/signals';
import { ask } from './ethereum.js';
import { type LogEvent, type LogFilter, NO_FILTER, optionsOf } from './log.js';

export interface LogFile {
  readonly name: string;
  /** One record per line. */
  readonly lines: readonly string[];
}

/** An event of a file, with the number of its line from 0. */
export type FileEvent = LogEvent & { readonly lineAt: number };

export interface FilePage {
  readonly events: readonly FileEvent[];
  /** Number of lines read for this page. */
  readonly read: number;
  /** The first invalid line (counted from 1), and why. */
  readonly problem: { readonly line: number; readonly message: string } | null;
}

/** The file that is shown instead of the node's log. */
export const openedLog = signal<LogFile | undefined>(undefined);

/** Maximum file size in bytes. */
const FILE_BYTES = 64 * 1024 * 1024;
/** Maximum lines and characters per decoding request. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 4_000_000;

/** Opens a `log export` file. Throws for any other file. */
export async function openLog(file: File): Promise<void> {
  if (file.size > FILE_BYTES)
    throw new Error(`the file is larger than ${FILE_BYTES} bytes: chronicled log show reads it`);
  const lines = (await file.text()).split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0) throw new Error('the file is empty');
  const { problem } = await readFilePage(lines, 0, 1, 'none');
  if (problem !== null) throw new Error(`this is no file of log export: line ${problem.line}: ${problem.message}`);
  openedLog.value = { name: file.name, lines };
}

/** Decodes lines from one on. The previous line is included to check that they are consecutive. */
export async function readFilePage(
  lines: readonly string[],
  from: number,
  count: number,
  data: 'decoded' | 'raw' | 'none',
  filter: LogFilter = NO_FILTER,
): Promise<FilePage> {
  const start = Math.max(0, from - 1);
  const asked: string[] = [];
  let characters = 0;
  for (const line of lines.slice(start, from + Math.min(count, MOST_LINES))) {
    characters += line.length;
    if (characters > MOST_CHARACTERS && asked.length > from - start) break;
    asked.push(line);
  }
  const { records, problem } = await ask<{
    readonly records: readonly (readonly LogEvent[])[];
    readonly problem: FilePage['problem'];
  }>('chronicle_readRecords', asked, { ...optionsOf(filter), data });
  const own = records.slice(from - start);
  return {
    events: own.flatMap((events, index) => events.map((event) => ({ ...event, lineAt: from + index }))),
    read: own.length,
    problem: problem && { ...problem, line: start + problem.line },
  };
}

/** Maximum requests for one page of matching events. */
const MOST_REQUESTS = 20;

/**
 * Finds about `count` matching events from a line on; `read`: number of lines searched, which may be fewer than all.
 */
export async function searchFile(
  lines: readonly string[],
  from: number,
  count: number,
  filter: LogFilter,
): Promise<FilePage> {
  const events: FileEvent[] = [];
  let read = 0;
  for (let requests = 0; requests < MOST_REQUESTS; requests += 1) {
    const page = await readFilePage(lines, from + read, MOST_LINES, 'none', filter);
    events.push(...page.events);
    read += page.read;
    if (page.problem !== null || page.read === 0) return { events, read, problem: page.problem };
    if (events.length >= count || from + read >= lines.length) break;
  }
  return { events, read, problem: null };
}
