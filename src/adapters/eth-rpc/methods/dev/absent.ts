/**
 * Methods of ganache and anvil for features that this chain lacks: compilers and proof of work (ganache v7.9
 * `packages/ethereum/ethereum/src/api.ts`), blobs and Tempo's fees (anvil, foundry after 1.7.1, master of August
 * 2026, `crates/anvil/src/eth/api.rs`). Each answers as its peer does when the feature is absent.
 */
import { type Method, method, ok, refusing } from '../../method.js';
import { address, data, hash } from '../../params/hex.js';
import { looseQuantity } from '../../params/numbers.js';
import { good, type Param, required } from '../../params/param.js';
import * as schema from '../../schema.js';

/** Any value but null, which counts as absent. */
const GIVEN = schema.anyOf(schema.BOOLEAN, schema.TEXT, { type: 'number' }, { type: 'array' }, { type: 'object' });

const ignored: Param<undefined> = required('ignored', GIVEN, () => good(undefined));

/** Methods with their number of parameters (which are ignored) and their constant answers. */
const ANSWERS: readonly (readonly [name: string, params: number, answer: boolean | readonly never[]])[] = [
  ['eth_getCompilers', 0, []],
  ['eth_getWork', 0, []],
  ['eth_submitHashrate', 2, false],
  ['eth_submitWork', 3, false],
];

/** Commands of anvil's Tempo mode, which this node does not have. */
const OF_TEMPO: Readonly<Record<string, readonly Param<unknown>[]>> = {
  anvil_dealTIP20: [address, address, looseQuantity],
  anvil_setFeeAmmLiquidity: [address, address, looseQuantity],
  anvil_setFeeToken: [address, address],
  anvil_setValidatorFeeToken: [address, address],
  eth_signRawTransaction: [data],
};

export const absentMethods: readonly Method[] = [
  ...ANSWERS.map(([name, count, answer]) =>
    method(
      name,
      'Answers what ganache answers: there is neither a miner nor compilers',
      Array.from({ length: count }, () => ignored),
      answer === false ? { enum: [false] } : schema.listOf(schema.ANYTHING, 0),
      () => ok(JSON.stringify(answer)),
    ),
  ),
  ...['anvil_getBlobByHash', 'anvil_getBlobsByTransactionHash'].map((name) =>
    method(name, 'Blobs: there are none', [hash], schema.NULL, () => ok('null')),
  ),
  method(
    'anvil_classifyTransaction',
    "A transaction's lane on a chain of Tempo, which this is not",
    [data],
    schema.objectOf({ lane: schema.TEXT, payment: schema.BOOLEAN, reason: schema.TEXT }),
    () => ok('{"lane":"general","payment":false,"reason":"not_tempo"}'),
  ),
  ...Object.entries(OF_TEMPO).map(([name, params]) => refusing(name, params, 'this is no chain of Tempo')),
];
