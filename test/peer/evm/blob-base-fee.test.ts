/**
 * BLOBBASEFEE, for which a block of evmd has no value: results, state and query answers are equal to those of evmd.
 */
import { type DescMessage, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { hexToBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as auth from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import * as gov from '../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import * as evm from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { blocksOfBlobBaseFee, type Played } from './blob-base-fee.js';
import { EVM_CHAIN_ID, GENESIS, NAME, SENDER } from './signer.js';
import { encode } from '../../support/encode.js';

const PANIC = 'runtime error: invalid memory address or nil pointer dereference: panic';

describe.skipIf(EVMD === undefined)('BLOBBASEFEE in evmd and in this program', () => {
  let pair: Pair;
  let played: Played;

  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
    await pair.block([]);
    const request = encode(auth.QueryAccountInfoRequestSchema, { address: NAME });
    const { theirs } = await pair.query('/cosmos.auth.v1beta1.Query/AccountInfo', request);
    played = await blocksOfBlobBaseFee(
      fromBinary(auth.QueryAccountInfoResponseSchema, theirs.value).info?.accountNumber ?? 0n,
    );
  });
  afterAll(() => pair.stop());

  test('gives equal results of transactions and equal app hashes of blocks', async () => {
    for (const block of played.blocks) {
      const { ours, theirs } = await pair.block(block.map(({ tx }) => tx));
      expect(blockDifferences(ours, theirs)).toEqual([]);
    }
  });

  test('makes a proposal that executes it fail with the same panic', async () => {
    await pair.block([], { seconds: 10 });
    const { ours, theirs } = await pair.block([]);
    expect(blockDifferences(ours, theirs)).toEqual([]);
    const request = encode(gov.QueryProposalRequestSchema, { proposalId: 1n });
    const answer = await pair.query('/cosmos.gov.v1.Query/Proposal', request);
    const { proposal } = fromBinary(gov.QueryProposalResponseSchema, answer.theirs.value);
    expect(proposal?.failedReason).toContain('PANICKED: runtime error: invalid memory address');
    expect(answer.ours.value).toEqual(answer.theirs.value);
  });

  async function asked<Desc extends DescMessage>(
    method: string,
    schema: Desc,
    request: MessageInitShape<Desc>,
  ): Promise<void> {
    const { ours, theirs } = await pair.query(`/cosmos.evm.vm.v1.Query/${method}`, encode(schema, request));
    const shown = ({ code, codespace, log }: typeof ours | typeof theirs) => ({ code, codespace, log });
    expect(shown(theirs)).toEqual({ code: 111222, codespace: 'undefined', log: PANIC });
    expect(shown(ours)).toEqual(shown(theirs));
  }

  test('makes queries that execute it fail with the same panic', async () => {
    const of = (call: object) => ({
      args: Buffer.from(JSON.stringify({ from: SENDER, ...call })),
      gasCap: 1_000_000n,
      chainId: EVM_CHAIN_ID,
    });
    for (const to of [played.bare, played.caller]) {
      await asked('EthCall', evm.EthCallRequestSchema, of({ to }));
      await asked('EthCall', evm.EthCallRequestSchema, of({ to, maxFeePerBlobGas: '0x0' }));
      await asked('EstimateGas', evm.EthCallRequestSchema, of({ to }));
      await asked('TraceCall', evm.QueryTraceCallRequestSchema, of({ to }));
      await asked('TraceCall', evm.QueryTraceCallRequestSchema, {
        ...of({ to }),
        traceConfig: { tracer: 'callTracer' },
      });
    }
    const [first, second] = played.next.map((raw) => ({ from: hexToBytes(SENDER), raw: hexToBytes(raw) }));
    const at = { blockNumber: pair.height() + 1n, chainId: EVM_CHAIN_ID };
    await asked('TraceTx', evm.QueryTraceTxRequestSchema, { ...at, msg: first });
    await asked('TraceTx', evm.QueryTraceTxRequestSchema, {
      ...at,
      msg: second,
      predecessors: first === undefined ? [] : [first],
    });
    await asked('TraceBlock', evm.QueryTraceBlockRequestSchema, {
      ...at,
      txs: first === undefined || second === undefined ? [] : [first, second],
    });
  });

  test('is not executed by CheckTx', async () => {
    const { ours, theirs } = await pair.check(played.unsent);
    expect([theirs.code, ours.code]).toEqual([0, 0]);
  });
});
