import { createReadStream, statSync } from 'node:fs';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ImportRefused } from '../../runtime/chain/imported-log.js';
import { boundedLines } from './bounded-lines.js';

/** Reads the lines of a file of `log export`, or of standard input. Throws ImportRefused for one that is too long. */
export async function* linesOf(file: string | undefined): AsyncGenerator<string> {
  const input = (file === undefined ? process.stdin : createReadStream(file)).setEncoding('utf8');
  const { logLineCharacters } = FIXED_LIMITS;
  const tooLong = (line: number): Error =>
    new ImportRefused(line, `longer than ${logLineCharacters} characters (limit logLineCharacters)`);
  for await (const line of boundedLines(input, logLineCharacters, tooLong)) if (line !== '') yield line;
}

/** True for a file that can be read; a pipe is as good as one. */
export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}
