/** Extracts the comments of source files, for tests of their form. */

/** One comment: a block, or consecutive lines of `//`, with its marks removed and its lines joined. */
export interface Comment {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const LINE = /^\s*(?:\/\/[/!]?)(?: (.*))?$/;
const BLOCK_BEGIN = /^\s*\/\*\*?/;
/** A comment after code. A space on both sides keeps URLs out. */
const TRAILING = /\S.*\s\/\/ (.+)$/;

/** The comments of a source in TypeScript, JavaScript or Rust, in order. */
export function commentsOf(source: string): readonly Comment[] {
  const comments: Comment[] = [];
  let open: { readonly line: number; readonly texts: string[] } | undefined;
  let inBlock = false;
  const close = (): void => {
    if (open !== undefined) comments.push({ line: open.line, text: open.texts.join(' ').trim() });
    open = undefined;
  };
  for (const [index, text] of source.split('\n').entries()) {
    const begins = !inBlock && BLOCK_BEGIN.test(text);
    if (inBlock || begins) {
      if (begins) close();
      open ??= { line: index + 1, texts: [] };
      open.texts.push(text.replace(/^\s*(\/\*\*?|\*(?!\/))?\s?/, '').replace(/\s*\*\/.*$/, ''));
      inBlock = !text.includes('*/');
      if (!inBlock) close();
      continue;
    }
    const line = LINE.exec(text);
    if (line === null) {
      close();
      const trailing = TRAILING.exec(text)?.[1];
      if (trailing !== undefined) comments.push({ line: index + 1, text: trailing });
    } else {
      open ??= { line: index + 1, texts: [] };
      open.texts.push(line[1] ?? '');
    }
  }
  close();
  return comments;
}

/** The sentences of a comment. A quotation in backticks belongs to the sentence around it. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Paths of this repository that a text names, without a full stop at their end and from placeholders on. */
export function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w./@~-])(?:src|test|docs|bench|scripts|engine|proto)\/[\w./-]*/g)]
    .map(([path]) => path.replace(/[./-]+$/, ''))
    .filter((path) => path.includes('/'));
}
