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
