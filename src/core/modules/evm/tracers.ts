/** Tracers of geth that the engine has under another form (v1.17 `eth/tracers/native`). */
import { fromHex, hexData } from '../../bytes/hex.js';
import type { EvmTrace } from '../../evm/engine.js';
import { asObject } from '../../json-object.js';
import type { Crypto } from '../../ports/crypto.js';

/** The transaction that is traced; calls have no place. */
export interface TracedPlace {
  readonly blockHash: Uint8Array;
  readonly hash: Uint8Array;
  /** Among the Ethereum transactions of the block. */
  readonly index: number;
}

/** Options for the engine, and what is made of its answer. */
export interface PreparedTracer {
  readonly options: string;
  finish(trace: EvmTrace): EvmTrace;
}

const PREIMAGES = 'keccak256PreimageTracer';
const AS_IT_IS = (trace: EvmTrace): EvmTrace => trace;

/** `options`: JSON text of geth's `TraceConfig`. */
export function prepareTracer(
  crypto: Pick<Crypto, 'keccak256'>,
  options: string,
  place: TracedPlace | undefined,
): PreparedTracer {
  const asked = asObject(JSON.parse(options)) ?? {};
  switch (asked['tracer']) {
    case PREIMAGES:
      return {
        options: JSON.stringify({ ...asked, tracer: 'erc7562Tracer', tracerConfig: {} }),
        finish: (trace) => (trace.ok ? { ok: true, json: preimagesJson(crypto, trace.json) } : trace),
      };
    case 'muxTracer':
      return {
        options: JSON.stringify({ ...asked, tracerConfig: filledIn(asked['tracerConfig']) }),
        finish: (trace) => placed(trace, place),
      };
    case 'flatCallTracer':
      return { options, finish: (trace) => placed(trace, place) };
    default:
      return { options, finish: AS_IT_IS };
  }
}

/** Tracers that have a configuration. */
const CONFIGURED: ReadonlySet<string> = new Set(['callTracer', 'flatCallTracer', 'prestateTracer']);

/** geth takes null and an empty object for any tracer within; the engine wants what belongs to the tracer. */
function filledIn(config: unknown): unknown {
  const tracers = asObject(config);
  if (tracers === undefined) return config;
  return Object.fromEntries(
    Object.entries(tracers).map(([name, own]) => [name, CONFIGURED.has(name) ? (own ?? {}) : null]),
  );
}

/**
 * The engine knows no hashes of blocks and transactions. Inside of strings quotes are escaped, so nothing else matches.
 */
function placed(trace: EvmTrace, place: TracedPlace | undefined): EvmTrace {
  if (!trace.ok || place === undefined) return trace;
  const json = trace.json
    .replaceAll('"blockNumber":', `"blockHash":"${hexData(place.blockHash)}","blockNumber":`)
    .replaceAll('"transactionHash":null', `"transactionHash":"${hexData(place.hash)}"`)
    .replaceAll('"transactionPosition":null', `"transactionPosition":${place.index}`);
  return { ok: true, json };
}

interface HashingFrame {
  readonly keccak?: readonly string[];
  readonly calls?: readonly HashingFrame[];
}

/** The inputs of KECCAK256 by their hashes. */
function preimagesJson(crypto: Pick<Crypto, 'keccak256'>, json: string): string {
  const preimages: Record<string, string> = {};
  const collect = ({ keccak = [], calls = [] }: HashingFrame): void => {
    for (const preimage of keccak) preimages[hexData(crypto.keccak256(fromHex(preimage.slice(2))))] = preimage;
    for (const call of calls) collect(call);
  };
  collect(JSON.parse(json) as HashingFrame);
  return JSON.stringify(preimages);
}
