/** The nonce of the sender in traces of calls: what geth's `debug_traceCall` shows, and what evmd's does. */
import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { evmd } from '../../../../src/core/app/presets.js';
import type { EvmTrace } from '../../../../src/core/evm/outcome.js';
import { addressOf, ethereumChain, evm, tx } from '../../app/ethereum-chain.js';
import { chain } from '../../app/dev-chain.js';
import { crypto, toHex } from '../../app/support.js';

const FROM = addressOf(0);
const FRESH = new Uint8Array(20).fill(0xde);
const DIFFERENCE = JSON.stringify({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
const name = (address: Uint8Array): string => `0x${toHex(address)}`;

function difference(trace: EvmTrace | undefined): unknown {
  if (trace?.ok !== true) throw new Error(trace?.message);
  return JSON.parse(trace.json);
}

describe('a traced call', () => {
  const call = { from: FROM, to: FRESH, value: 7n };
  const before = { balance: expect.any(String), nonce: 1 };
  const raised = {
    pre: { [name(FROM)]: before },
    post: { [name(FROM)]: { balance: expect.any(String), nonce: 2 }, [name(FRESH)]: { balance: '0x7' } },
  };

  it('shows the raised nonce of its sender, whatever nonce it names; in evmd it does not', async () => {
    const dev = ethereumChain();
    dev.block(await tx(0, { nonce: 0, to: `0x${'77'.repeat(20)}`, value: 5n }));
    const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
    const { ethereum } = dev.app;
    for (const nonce of [undefined, 0n, 9n]) {
      const named = nonce === undefined ? call : { ...call, nonce };
      expect(difference(ethereum?.traceCall(dev.state, at, named, [], {}, DIFFERENCE))).toEqual(raised);
    }
    const calls = [{ ...call, tracers: [DIFFERENCE] }];
    const sequence = ethereum?.sequenceCalls(dev.state, at, {
      accounts: [],
      validation: false,
      blocks: [{ block: {}, calls }],
    });
    const step = sequence?.next().value;
    if (step?.kind !== 'trace') throw new Error('the first step is no trace');
    expect(difference(step.trace)).toEqual(raised);
    const asEvmd = createApplication({ version: evmd, chain, crypto, evm }).ethereum;
    expect(difference(asEvmd?.traceCall(dev.state, at, call, [], {}, DIFFERENCE))).toEqual({
      pre: { [name(FROM)]: before },
      post: { ...raised.post, [name(FROM)]: { balance: expect.any(String) } },
    });
  });
});
