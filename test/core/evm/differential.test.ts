import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import type { EvmFork } from '../../../src/core/evm/transaction.js';
import { type OracleResult, describeMapState, executeByOracle } from './ethereumjs.js';
import { GRAPH, program } from './random-code.js';
import {
  BLOCK,
  COINBASE,
  MapState,
  SENDER,
  address,
  createEngine,
  executed,
  fromHex,
  toHex,
  tx,
  word,
} from './support.js';

const engine = createEngine();

test.each(['shanghai', 'cancun', 'prague', 'osaka'] as const)(
  'the EVM engine executes random bytecode and call graphs as ethereumjs does in fork %s',
  async (fork: EvmFork) => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(program, program, program),
        fc.uint8Array({ maxLength: 64 }),
        fc.nat(3),
        fc.integer({ min: 30_000, max: 400_000 }),
        async (codes, data, value, gas) => {
          const block = { ...BLOCK, fork, number: 0n };
          const state = worldOf(codes);
          const transaction = tx({
            to: address(GRAPH[0] ?? 0),
            nonce: 0n,
            data,
            value: BigInt(value),
            gasLimit: BigInt(gas),
          });
          const expected = await executeByOracle(state, block, transaction);
          // The oracle increases the sender's nonce itself; in the chain the ante handler has done it.
          state.fund(SENDER, state.balance(SENDER), 1n);
          engine.clear();
          engine.beginBlock(block);
          const outcome = engine.transact(state, transaction, { fees: 'host' });
          const result = executed(outcome);
          if (outcome.kind === 'executed') state.apply(outcome.changes);
          const actual: OracleResult = {
            status: result.status,
            gasUsed: result.gasUsed,
            gasRefunded: result.gasRefunded,
            output: toHex(result.output),
            logs: result.logs.map((log) => [log.address, ...log.topics, log.data].map(toHex).join(' ')),
            state: describeMapState(state),
          };
          expect(actual).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  },
  120_000,
);

/** A state with the graph's contracts, each with some wei and one slot, and accounts without code. */
function worldOf(codes: readonly string[]): MapState {
  const state = new MapState().fund(SENDER, 10n ** 24n).fund(COINBASE, 1n);
  for (const [index, code] of codes.entries()) {
    const at = address(GRAPH[index] ?? 0);
    state.putCode(at, fromHex(code), 10n).putSlot(at, word(1), word(7));
  }
  return state.fund(address(GRAPH[3] ?? 0), 1n);
}
