import { createReadStream, statSync } from 'node:fs';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ImportRefused } from '../../runtime/rebuild/imported-log.js';

/**
 * Yields the lines of a text stream without line ends; the last line need not have one. Throws the error of `refuse`
 * (with the line number, from 1) as soon as a line exceeds `maximum` characters.
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

/** Reads the lines of a `log export` file or of standard input. Throws ImportRefused for a line that is too long. */
export async function* linesOf(file: string | undefined): AsyncGenerator<string> {
  const input = (file === undefined ? process.stdin : createReadStream(file)).setEncoding('utf8');
  const { logLineCharacters } = FIXED_LIMITS;
  const tooLong = (line: number): Error =>
    new ImportRefused(line, `longer than ${logLineCharacters} characters (limit logLineCharacters)`);
  yield* boundedLines(input, logLineCharacters, tooLong);
}

/** True for a readable file or pipe. */
export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}
