/**
 * Names of the peers for what this chain does not have: Swarm, Whisper, a database by RPC and proof of work (ganache
 * v7.9 `packages/ethereum/ethereum/src/api.ts`), blobs and Tempo's fees (anvil, foundry after 1.7.1, master of August
 * 2026, `crates/anvil/src/eth/api.rs`). Each answers what its peer answers where there is nothing of the kind.
 */
import { type Method, method, ok, refusing } from '../../method.js';
import { address, data, hash } from '../../params/hex.js';
import { looseQuantity } from '../../params/numbers.js';
import { good, type Param, required } from '../../params/param.js';
import * as schema from '../../schema.js';

/** Anything but null, which is no argument. */
const GIVEN = schema.anyOf(schema.BOOLEAN, schema.TEXT, { type: 'number' }, { type: 'array' }, { type: 'object' });

const ignored: Param<undefined> = required('ignored', GIVEN, () => good(undefined));

/** Names with their answers, by the number of their parameters, which change nothing. */
const ANSWERS: readonly Readonly<Record<string, string | boolean | readonly never[]>>[] = [
  {
    bzz_hive: [],
    bzz_info: [],
    eth_getCompilers: [],
    eth_getWork: [],
    shh_newGroup: '0x00',
    shh_newIdentity: '0x00',
    shh_version: '2',
  },
  {
    shh_addToGroup: false,
    shh_getFilterChanges: [],
    shh_getMessages: false,
    shh_hasIdentity: false,
    shh_post: false,
    shh_uninstallFilter: false,
  },
  { db_getHex: '0x00', db_getString: '', eth_submitHashrate: false, shh_newFilter: false },
  { db_putHex: false, db_putString: false, eth_submitWork: false },
];

/** What a namespace of ganache has, and this node has not. */
const MISSING: Readonly<Record<string, string>> = {
  bzz: 'no Swarm',
  db: 'no database',
  eth: 'neither a miner nor compilers',
  shh: 'no Whisper',
};

/** Commands of chains that anvil can be, and this node cannot. */
const OF_TEMPO: Readonly<Record<string, readonly Param<unknown>[]>> = {
  anvil_dealTIP20: [address, address, looseQuantity],
  anvil_setFeeAmmLiquidity: [address, address, looseQuantity],
  anvil_setFeeToken: [address, address],
  anvil_setValidatorFeeToken: [address, address],
  eth_signRawTransaction: [data],
};

export const absentMethods: readonly Method[] = [
  ...ANSWERS.flatMap((answers, count) => {
    const params = Array.from({ length: count }, () => ignored);
    return Object.entries(answers).map(([name, answer]) =>
      method(name, summaryOf(name), params, schemaOf(answer), () => ok(JSON.stringify(answer))),
    );
  }),
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

function summaryOf(name: string): string {
  const [namespace = ''] = name.split('_');
  return `Answers what ganache answers: there is ${MISSING[namespace] ?? 'nothing of the kind'}`;
}

/** The answer is always the same. */
function schemaOf(answer: string | boolean | readonly never[]): schema.Schema {
  return typeof answer === 'object' ? schema.listOf(schema.ANYTHING, 0) : { enum: [answer] };
}
