/** BLOBBASEFEE, at which evmd panics: calls are refused with that error, unless they override the fee. */
import { expect, test } from 'vitest';
import type { EthereumBlockOverrides } from '../../../../../src/core/ethereum/call.js';
import { NIL_POINTER } from '../../../../../src/core/sdk/module/sdk-error.js';
import { fromHex } from '../../../app/support.js';
import { NO_SLASHES, world } from './world.js';

const AT = fromHex('b1'.repeat(20));
const CODE = { address: AT, code: fromHex('4a5f5260205ff3') };
const chain = world(NO_SLASHES);
const { ethereum } = chain.app;
const head = { ...chain.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
const call = (block: EthereumBlockOverrides) => ethereum?.call(chain.state, head, { to: AT }, [CODE], block);

test('a call of BLOBBASEFEE is refused as in evmd, unless it overrides the fee', () => {
  expect(call({})).toEqual({ kind: 'refused', message: NIL_POINTER });
  expect(call({ blobBaseFee: 5n })).toMatchObject({ kind: 'success', output: fromHex('05'.padStart(64, '0')) });
  expect(call({})).toEqual({ kind: 'refused', message: NIL_POINTER });
});

test('an estimate and an access list of BLOBBASEFEE are refused as in evmd', () => {
  expect(ethereum?.estimateGas(chain.state, head, { to: AT }, [CODE])).toEqual({
    kind: 'refused',
    message: NIL_POINTER,
  });
  expect(ethereum?.createAccessList(chain.state, head, { to: AT }, [CODE])).toEqual({
    kind: 'refused',
    message: NIL_POINTER,
  });
});

test.each(['{}', '{"tracer":"callTracer"}'])(
  'a trace of BLOBBASEFEE with %s is refused as in evmd, unless it overrides the fee',
  (options) => {
    const trace = (block: EthereumBlockOverrides) =>
      ethereum?.traceCall(chain.state, head, { to: AT }, [CODE], block, options);
    expect(trace({})).toEqual({ ok: false, message: NIL_POINTER });
    expect(trace({ blobBaseFee: 5n })).toMatchObject({ ok: true, json: expect.stringContaining('05') });
  },
);
