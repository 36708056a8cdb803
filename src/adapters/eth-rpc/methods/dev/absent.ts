/**
 * Names of the peers for what this chain does not have: Swarm, Whisper, a database by RPC and proof of work (ganache
 * v7.9 `packages/ethereum/ethereum/src/api.ts`), blobs and Tempo's fees (anvil, foundry 1.7
 * `crates/anvil/src/eth/api.rs`). Each answers what its peer answers where there is nothing of the kind.
 */
import { invalidParams } from '../../errors.js';
import { failed, type Method, method, ok } from '../../method.js';
import { address, data, hash } from '../../params/hex.js';
import { looseQuantity } from '../../params/numbers.js';
import { good, type Param, required } from '../../params/param.js';

const ignored: Param<undefined> = required('ignored', () => good(undefined));

/** Names with the JSON of their answers, by the number of their parameters, which change nothing. */
const ANSWERS: readonly Readonly<Record<string, string>>[] = [
  {
    bzz_hive: '[]',
    bzz_info: '[]',
    eth_getCompilers: '[]',
    eth_getWork: '[]',
    shh_newGroup: '"0x00"',
    shh_newIdentity: '"0x00"',
    shh_version: '"2"',
  },
  {
    shh_addToGroup: 'false',
    shh_getFilterChanges: '[]',
    shh_getMessages: 'false',
    shh_hasIdentity: 'false',
    shh_post: 'false',
    shh_uninstallFilter: 'false',
  },
  { db_getHex: '"0x00"', db_getString: '""', eth_submitHashrate: 'false', shh_newFilter: 'false' },
  { db_putHex: 'false', db_putString: 'false', eth_submitWork: 'false' },
];

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
    return Object.entries(answers).map(([name, json]) => method(name, params, () => ok(json)));
  }),
  ...['anvil_getBlobByHash', 'anvil_getBlobsByTransactionHash'].map((name) => method(name, [hash], () => ok('null'))),
  method('anvil_classifyTransaction', [data], () => ok('{"lane":"general","payment":false,"reason":"not_tempo"}')),
  ...Object.entries(OF_TEMPO).map(([name, params]) =>
    method(name, params, () => failed(invalidParams(`${name} is not supported: this is no chain of Tempo`))),
  ),
];
