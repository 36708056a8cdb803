/** The gas of contract calls by modules, compared with evmd. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as auth from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { stepsOfModuleGas } from './module-gas.js';
import { GAS_OF_EVMD, gasShown } from './module-gas-of-evmd.js';
import { EVM_CHAIN_ID, GENESIS, NAME } from './signer.js';

describe.skipIf(EVMD === undefined)('a call of a contract by a module (needs EVMD, the evmd program)', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
  });
  afterAll(() => pair.stop());

  test('uses as much gas as in evmd', { timeout: 300_000 }, async () => {
    await pair.block([]);
    const request = create(auth.QueryAccountInfoRequestSchema, { address: NAME });
    const { theirs: answer } = await pair.query(
      '/cosmos.auth.v1beta1.Query/AccountInfo',
      toBinary(auth.QueryAccountInfoRequestSchema, request),
    );
    const number = fromBinary(auth.QueryAccountInfoResponseSchema, answer.value).info?.accountNumber ?? 0n;
    const { deployments, calls } = await stepsOfModuleGas(number);
    for (const txs of deployments)
      expect((await pair.block(txs)).theirs.txResults.map(({ code }) => code)).not.toContain(1);
    const ours: string[] = [];
    const theirs: string[] = [];
    for (const { name, tx } of calls) {
      const block = await pair.block([tx]);
      ours.push(gasShown(name, block.ours.txResult(0)));
      theirs.push(gasShown(name, block.theirs.txResults[0]));
    }
    expect(ours).toEqual(theirs);
    expect(theirs).toEqual(GAS_OF_EVMD);
  });
});
