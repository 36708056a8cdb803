/** Functions that extract commands, code and links from a Markdown text. */

interface Fence {
  readonly language: string;
  readonly text: string;
}

function fencesOf(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

const SHELL = new Set(['sh', 'bash', '']);

/** Lines of shell blocks, in order, without comments. */
export function commandsOf(markdown: string): readonly string[] {
  return stepsOf(markdown)
    .filter(({ language }) => SHELL.has(language))
    .map(({ text }) => text);
}

/** The steps of a reader, from the top: lines of shell blocks without comments, and other blocks whole. */
export function stepsOf(markdown: string): readonly Fence[] {
  return fencesOf(markdown).flatMap(({ language, text }) =>
    SHELL.has(language) ? linesOf(text).map((line) => ({ language, text: line })) : [{ language, text }],
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Words of a command as a shell reads it: single quotes keep what is in them. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** Commands in running text: code spans that begin with a program, as they are written. */
export function mentionsOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```\w*\n[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`((?:chronicled|npm|npx|node|curl) [^`]+)`/g)].map(([, command = '']) =>
    command.replace(/\s+/g, ' '),
  );
}

/** JavaScript blocks, in order. */
export function javascriptOf(markdown: string): readonly string[] {
  return fencesOf(markdown)
    .filter(({ language }) => language === 'js')
    .map(({ text }) => text);
}

/** Targets of relative links, without fragments. */
export function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}
