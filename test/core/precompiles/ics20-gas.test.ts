/** Gas of the ICS-20 precompile's queries of denominations: the store accesses of ibc-go v10. */
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { ics20Contract } from '../../../src/core/precompiles/ics20/contract.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import { GasMeter, MeteredStore } from '../../../src/core/sdk/module/gas.js';
import type { ContractCall } from '../../../src/core/sdk/module/stateful-precompile.js';
import type { StateStore } from '../../../src/core/state/state.js';
import { crypto, fromHex } from '../app/support.js';

const ABI = parseAbi([
  'function denom(string hash) view',
  'function denomHash(string trace) view',
  'function denoms((bytes key, uint64 offset, uint64 limit, bool countTotal, bool reverse) page) view',
]);
const NOTHING: StateStore = { get: () => undefined, range: () => [], set: () => undefined, delete: () => undefined };
const PAGE = { key: '0x', offset: 0n, limit: 10n, countTotal: false, reverse: false } as const;

/** Gas of a call; throws when it is refused. */
function gasOf(input: string): bigint {
  const gas = new GasMeter(undefined);
  const context = { crypto, gas, store: new MeteredStore(NOTHING, gas) } as unknown as Context;
  ics20Contract.run(context, { input: fromHex(input.slice(2)) } as ContractCall);
  return gas.consumed;
}

// evmd v0.6.0 charges 1,000 for the second one (a creation of a random chain, gas used 106,490 in place of 105,490).
test.each([
  [
    'the hash of a path',
    encodeFunctionData({ abi: ABI, functionName: 'denomHash', args: ['transfer/channel-0/x'] }),
    1000n,
  ],
  ['the hash of any text', encodeFunctionData({ abi: ABI, functionName: 'denomHash', args: ['0x963EDf2e'] }), 1000n],
  ['a denomination', encodeFunctionData({ abi: ABI, functionName: 'denom', args: ['ab'.repeat(32)] }), 1099n],
  ['the denomination of an empty hash', encodeFunctionData({ abi: ABI, functionName: 'denom', args: [''] }), 1003n],
  ['all denominations', encodeFunctionData({ abi: ABI, functionName: 'denoms', args: [PAGE] }), 30n],
] as const)('a query of %s costs the gas of ibc-go', (_, input, gas) => {
  expect(gasOf(input)).toBe(gas);
});

test('a query of a path without a denomination is refused', () => {
  const input = encodeFunctionData({ abi: ABI, functionName: 'denomHash', args: [' '] });
  expect(() => gasOf(input)).toThrow('base denomination cannot be blank');
});
