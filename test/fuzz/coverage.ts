/**
 * V8's own block coverage of this process. Code counts that is compiled after this module was loaded: it is imported
 * before what it measures.
 */
import { Session, type Profiler } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Ranges of the functions of each source: the whole function, and the parts of it that were executed differently. */
type Ranges = Map<string, readonly Profiler.CoverageRange[]>;

const functions = new Map<string, Ranges>();

function take(): readonly Profiler.ScriptCoverage[] {
  let result: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error;
    ({ result } = taken);
  });
  return result;
}

/**
 * Share of the executed text in the functions of a source (a path below `src`) since the last call, from 0 to 1. V8
 * reports only functions that were called again, so the first call must follow the import of the source.
 */
export function takeCoverage(sources: readonly string[]): ReadonlyMap<string, number> {
  for (const known of functions.values())
    for (const [name, ranges] of known)
      known.set(
        name,
        ranges.slice(0, 1).map((range) => ({ ...range, count: 0 })),
      );
  for (const { url, functions: reported } of take()) {
    const source = /\/src\/(.*?)(\?.*)?$/.exec(url)?.[1];
    if (source === undefined) continue;
    const known: Ranges = functions.get(source) ?? new Map();
    functions.set(source, known);
    for (const { functionName, ranges } of reported)
      if (functionName !== '') known.set(`${functionName} ${ranges[0]?.startOffset}`, ranges);
  }
  return new Map(sources.map((source) => [source, executedPart(functions.get(source) ?? new Map())]));
}

function executedPart(known: Ranges): number {
  const byStart = [...known.values()].toSorted(([one], [other]) => (one?.startOffset ?? 0) - (other?.startOffset ?? 0));
  const executed = new Map<number, boolean>();
  for (const ranges of byStart)
    for (const { startOffset, endOffset, count } of ranges)
      for (let at = startOffset; at < endOffset; at += 1) executed.set(at, count > 0);
  const count = [...executed.values()].filter((isExecuted) => isExecuted).length;
  return executed.size === 0 ? 0 : count / executed.size;
}
