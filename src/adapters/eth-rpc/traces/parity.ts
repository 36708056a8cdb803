/**
 * Traces in OpenEthereum's format (https://openethereum.github.io/JSONRPC-trace-module), built from the engine's
 * flatCallTracer, which writes localized traces, and prestateTracer.
 */
import type { VmTrace } from './vm-trace.js';

/** The first call has the gas of its execution, without the intrinsic gas of the transaction, as in OpenEthereum. */
const FLAT_CONFIG = { executionGas: true };

/** Tracers whose results `replayJson` needs: the calls, what they changed, and the output of the first. */
export const REPLAY_TRACERS = JSON.stringify({
  tracer: 'muxTracer',
  tracerConfig: {
    flatCallTracer: FLAT_CONFIG,
    prestateTracer: { diffMode: true },
    callTracer: { onlyTopCall: true },
  },
});
export const FLAT_CALLS = JSON.stringify({ tracer: 'flatCallTracer', tracerConfig: FLAT_CONFIG });

export type TraceKind = 'trace' | 'stateDiff' | 'vmTrace';

type Members = Readonly<Record<string, unknown>>;

interface Account {
  readonly balance?: string;
  readonly nonce?: number | string;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

interface Replayed {
  readonly flatCallTracer: readonly Members[];
  readonly prestateTracer: {
    readonly pre: Readonly<Record<string, Account>>;
    readonly post: Readonly<Record<string, Account>>;
  };
  readonly callTracer: { readonly output?: string };
}

/** Places of a localized trace, which a replay leaves out. */
const LOCALIZED: ReadonlySet<string> = new Set(['blockHash', 'blockNumber', 'transactionHash', 'transactionPosition']);

/**
 * The result of `trace_replayTransaction` and `trace_call` from the JSON of `REPLAY_TRACERS` and the machine states;
 * members that were not requested are empty.
 */
export function replay(json: string, kinds: ReadonlySet<TraceKind>, states?: VmTrace): Members {
  const { flatCallTracer, prestateTracer, callTracer } = JSON.parse(json) as Replayed;
  return {
    output: callTracer.output ?? '0x',
    stateDiff: kinds.has('stateDiff') ? stateDiff(prestateTracer) : null,
    trace: kinds.has('trace') ? flatCallTracer.map(withoutPlace) : [],
    vmTrace: states ?? null,
  };
}

function withoutPlace(trace: Members): Members {
  return Object.fromEntries(Object.entries(trace).filter(([name]) => !LOCALIZED.has(name)));
}

const SAME = '=';
const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** The changes of accounts: each member is `=` where nothing changed, else `*`, `+` or `-` with the values. */
function stateDiff({ pre, post }: Replayed['prestateTracer']): Members {
  const diff: Record<string, Members> = {};
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)]))
    diff[address] = accountDiff(pre[address], post[address]);
  return diff;
}

function accountDiff(before: Account | undefined, after: Account | undefined): Members {
  if (before === undefined) return wholeAccount('+', after);
  if (after === undefined) return wholeAccount('-', before);
  const slots = new Set([...Object.keys(before.storage ?? {}), ...Object.keys(after.storage ?? {})]);
  const storage = [...slots].map((slot) => [
    slot,
    { '*': { from: before.storage?.[slot] ?? ZERO_WORD, to: after.storage?.[slot] ?? ZERO_WORD } },
  ]);
  return {
    balance: changed(before.balance ?? '0x0', after.balance),
    code: changed(before.code ?? '0x', after.code),
    nonce: changed(quantity(before.nonce ?? 0), after.nonce === undefined ? undefined : quantity(after.nonce)),
    storage: Object.fromEntries(storage),
  };
}

/** An account that came (`+`) or went (`-`). */
function wholeAccount(sign: '+' | '-', account: Account = {}): Members {
  const { balance = '0x0', code = '0x', nonce = 0, storage = {} } = account;
  return {
    balance: { [sign]: balance },
    code: { [sign]: code },
    nonce: { [sign]: quantity(nonce) },
    storage: Object.fromEntries(Object.entries(storage).map(([slot, value]) => [slot, { [sign]: value }])),
  };
}

/** In diff mode the later state has only what changed. */
function changed(from: string, to: string | undefined): unknown {
  return to === undefined || to === from ? SAME : { '*': { from, to } };
}

function quantity(value: number | string): string {
  return typeof value === 'number' ? `0x${value.toString(16)}` : value;
}
