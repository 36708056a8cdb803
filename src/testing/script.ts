/** A counterexample as a script that can be pasted into a test. */
import type { Command, Action } from './commands.js';

/** A list of commands that broke a promise, found by a search. */
export interface Counterexample<Own extends Action> {
  readonly commands: readonly Command<Own>[];
  /** The promise that the last command broke. */
  readonly error: Error;
  /** Seed and path of fast-check: with both a search begins at this counterexample. */
  readonly seed: number;
  readonly path: string;
  /** Number of runs until the first failure, and of runs that shrank it. */
  readonly runs: number;
  readonly shrinks: number;
}

/** TypeScript that plays exactly these commands; `source` is the expression that makes the target. */
export function scriptOf<Own extends Action>(source: string, found: Counterexample<Own>): string {
  const { commands, error, seed, path, runs, shrinks } = found;
  return `// ${error.message.split('\n').join('\n// ')}
// seed ${seed}, path "${path}": run ${runs}, made smaller ${shrinks} times
import { play } from 'chronicled/testing';

const target = ${source};
try {
  await play(target, [${commands.map((command) => `\n    ${literal(command)},`).join('')}
  ]);
} finally {
  await target.stop?.();
}`;
}

/** Plain data as a TypeScript literal. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string')
    return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^\w+$/u.test(name) ? name : literal(name)}: ${literal(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
