import { FIXED_LIMITS } from '../limits/limits.js';
import { oneLine, type Line, type Part } from './line.js';

/**
 * Called when a client calls an API method. Returns a function to call at its end, with the error code if it failed.
 * Neither receives parameters, which may be secret.
 */
export type OnCall = (method: string, client: string) => CallEnd;
export type CallEnd = (errorCode?: number) => void;

/** A client's call, as the activity log shows it. */
export interface ClientCall {
  readonly face: string;
  readonly method: string;
  /** `agentOf` its requests, followed by the connection number if it has one; may be empty. */
  readonly client: string;
  /** Undefined for a successful call. */
  readonly errorCode: number | undefined;
}

/** Equal calls that one line counts, with the shortest and longest duration in milliseconds. */
export interface RepeatedCalls {
  readonly count: number;
  readonly least: number;
  readonly longest: number;
}

/** Name of a client program: the first word of `User-Agent` (RFC 9110 10.1.5). */
export function agentOf(userAgent: string | undefined): string {
  return oneLine((userAgent ?? '').slice(0, FIXED_LIMITS.agentCharacters).split(/[\s(]/, 1)[0] ?? '');
}

/** Line of one call. */
export function clientCallLine(call: ClientCall, milliseconds: number): Line {
  return line(call, [`  ${shown(milliseconds)} ms`], { ms: rounded(milliseconds) });
}

/** Line that counts repetitions of a call. */
export function repeatedCallsLine(call: ClientCall, { count, least, longest }: RepeatedCalls): Line {
  const span = shown(least) === shown(longest) ? shown(least) : `${shown(least)} to ${shown(longest)}`;
  return line(call, [`  ${count} more, ${span} ms`], {
    calls: count,
    ms: rounded(least),
    longest_ms: rounded(longest),
  });
}

/** Line that counts calls of too many different kinds to list. */
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

/** Formats milliseconds with two decimals below 10, else none. */
function shown(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(0);
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toFixed(3));
}
