import { FIXED_LIMITS } from '../limits/limits.js';
import { oneLine, type Line, type Part } from './line.js';

/**
 * Called when a client calls a method of an API server. It returns a function that is called at the end of the call,
 * with the code of its error or without one if it succeeded. Neither gets the parameters, because these may be
 * secrets.
 */
export type OnCall = (method: string, client: string) => CallEnd;
export type CallEnd = (errorCode?: number) => void;

/** A call of a client, as the activity log shows it. */
export interface ClientCall {
  readonly face: string;
  readonly method: string;
  /** `agentOf` its requests, and the number of its connection where it has one; may be empty. */
  readonly client: string;
  /** Undefined for a call that succeeded. */
  readonly errorCode: number | undefined;
}

/** A group of equal calls that one line counts, with the shortest and the longest duration in milliseconds. */
export interface RepeatedCalls {
  readonly count: number;
  readonly least: number;
  readonly longest: number;
}

/** The name that a program gives itself in `User-Agent`: the first word (RFC 9110 10.1.5). */
export function agentOf(userAgent: string | undefined): string {
  return oneLine((userAgent ?? '').slice(0, FIXED_LIMITS.agentCharacters).split(/[\s(]/, 1)[0] ?? '');
}

/** The line of one call. */
export function clientCallLine(call: ClientCall, milliseconds: number): Line {
  return line(call, [`  ${shown(milliseconds)} ms`], { ms: rounded(milliseconds) });
}

/** The line that counts calls equal to one that has a line. */
export function repeatedCallsLine(call: ClientCall, { count, least, longest }: RepeatedCalls): Line {
  const span = shown(least) === shown(longest) ? shown(least) : `${shown(least)} to ${shown(longest)}`;
  return line(call, [`  ${count} more, ${span} ms`], {
    calls: count,
    ms: rounded(least),
    longest_ms: rounded(longest),
  });
}

/** The line of calls of so many kinds that they are only counted. */
export function otherCallsLine(count: number): Line {
  return {
    severity: 'debug',
    message: 'other calls',
    parts: [['faint', `… ${count} more ${count === 1 ? 'call' : 'calls'} of other methods and clients`]],
    fields: { calls: count },
  };
}

function line(
  { face, method, client, errorCode }: ClientCall,
  parts: readonly Part[],
  fields: Readonly<Record<string, unknown>>,
): Line {
  const name = oneLine(method);
  return {
    severity: 'debug',
    message: 'call of a client',
    parts: [
      name,
      ...parts,
      errorCode === undefined ? '  ok' : (['bad', `  error ${errorCode}`] as const),
      ['faint', `  ${client === '' ? face : `${face}, ${client}`}`],
    ],
    fields: {
      face,
      method: name,
      client,
      ok: errorCode === undefined,
      ...(errorCode !== undefined && { code: errorCode }),
      ...fields,
    },
  };
}

/** Two places below 10 ms, none above. */
function shown(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(0);
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toFixed(3));
}
