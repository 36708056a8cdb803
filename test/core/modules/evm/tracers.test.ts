/** Tracers over the engine's traces, and tracers that do not ask the engine. */
import { describe, expect, it } from 'vitest';
import { tracedBy } from '../../../../src/core/modules/evm/tracers.js';

const PLACE = { blockHash: new Uint8Array(32).fill(1), hash: new Uint8Array(32).fill(2), index: 3 };
const FLAT = '[{"blockNumber":7,"transactionHash":null,"transactionPosition":null}]';
const PLACED = [
  {
    blockHash: `0x${'01'.repeat(32)}`,
    blockNumber: 7,
    transactionHash: `0x${'02'.repeat(32)}`,
    transactionPosition: 3,
  },
];
const traced = (options: object, place: typeof PLACE | undefined, json: string): unknown => {
  const trace = tracedBy(JSON.stringify(options), place, () => ({ ok: true, json }));
  return trace.ok ? JSON.parse(trace.json) : trace.message;
};

describe('the trace of a transaction', () => {
  it('has the position of the transaction in flat calls, also within muxTracer', () => {
    expect(traced({ tracer: 'flatCallTracer' }, PLACE, FLAT)).toEqual(PLACED);
    const mux = { tracer: 'muxTracer', tracerConfig: { flatCallTracer: null } };
    expect(traced(mux, PLACE, `{"flatCallTracer":${FLAT}}`)).toEqual({ flatCallTracer: PLACED });
    expect(traced({ tracer: 'flatCallTracer' }, undefined, FLAT)).toEqual(JSON.parse(FLAT));
    expect(traced({ tracer: 'callTracer' }, PLACE, FLAT)).toEqual(JSON.parse(FLAT));
  });

  it('is refused for an unknown tracer', () => {
    const unknown = /^ReferenceError: nopeTracer is not defined at <eval>:1:2\(0\): .*it has callTracer, /;
    expect(traced({ tracer: 'nopeTracer' }, PLACE, '{}')).toMatch(unknown);
    expect(traced({ tracer: 'muxTracer', tracerConfig: { nopeTracer: {} } }, PLACE, '{}')).toMatch(unknown);
    expect(traced({}, PLACE, '{}')).toEqual({});
  });
});
