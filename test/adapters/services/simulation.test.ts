import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { simulation } from '../../../src/adapters/services/tx/simulation.js';
import { unwrapTransaction } from '../../../src/core/ethereum/wrapped-transaction.js';
import { ExecTxResultSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';

describe.skipIf(!hasGolden)('the gas limit of a simulation', () => {
  it('is that of an Ethereum transaction, and unlimited for other transactions, like in evmd', () => {
    const txs = readRecordedChain()
      .flatMap(({ block }) => block.block.data.txs)
      .map((tx) => Uint8Array.from(Buffer.from(tx, 'base64')));
    const limits = new Map(
      txs.map((tx) => {
        const ran = { ok: true, gasWanted: 60_000n, gasUsed: 53_723n, result: create(ExecTxResultSchema) } as const;
        return [unwrapTransaction(tx) !== undefined, simulation(tx, ran).gasInfo?.gasWanted];
      }),
    );
    expect(limits).toEqual(
      new Map([
        [true, 60_000n],
        [false, 2n ** 64n - 1n],
      ]),
    );
  });
});
