import { createReadStream, statSync } from 'node:fs';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ImportRefused } from '../../runtime/rebuild/imported-log.js';

/**
 * The lines of a stream of text, without their line ends; the last one may have none. A line of more than `maximum`
 * characters ends it with the error that `refuse` makes of the line's number, counted from 1, before more of it is
 * read.
 */
export async function* boundedLines(
  input: AsyncIterable<string>,
  maximum: number,
  refuse: (line: number) => Error,
): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  const take = (part: string): void => {
    parts.push(part);
    length += part.length;
    if (length > maximum) throw refuse(number);
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      take(chunk.slice(from, end));
      yield parts.join('').replace(/\r$/u, '');
      parts = [];
      length = 0;
      number += 1;
      from = end + 1;
    }
    take(chunk.slice(from));
  }
  if (length > 0) yield parts.join('');
}

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
