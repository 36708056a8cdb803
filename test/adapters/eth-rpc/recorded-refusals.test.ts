import { describe, expect, it } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import { openFace } from './face.js';
import { callOf, recordedExchanges } from './recorded-blocks.js';

/** Recorded refusals that geth does not make, and methods that this face lacks. */
const ACCEPTED = new Set([
  'eth_getBalance safe',
  'eth_getBalance missing block param',
  'eth_call no block param',
  'eth_estimateGas state override balance',
  'eth_estimateGas state override code',
  'eth_estimateGas state override stateDiff',
]);

describe.skipIf(!hasGolden)('recorded refusals of wrong parameters', () => {
  const face = openFace({ dev: true });
  const cases = (hasGolden ? recordedExchanges() : []).flatMap((exchange) => {
    const call = callOf(exchange);
    const recorded = !exchange.res.body.startsWith('{')
      ? {}
      : (JSON.parse(exchange.res.body) as { error?: { code: number; message: string } });
    const isOurs = call !== undefined && face.rpc.methods.includes(call.method) && !ACCEPTED.has(exchange.name);
    return isOurs && recorded.error?.code === -32602 ? [{ name: exchange.name, call, error: recorded.error }] : [];
  });

  it('are many', () => expect(cases.length).toBeGreaterThanOrEqual(20));

  it.each(cases)('$name', async ({ call, error }) => {
    expect((await face.call(call.method, ...call.params)).error).toEqual(error);
  });
});
