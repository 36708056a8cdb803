/** Inputs that Ethereum precompiles refuse, in transactions, calls and traces of evmd and of this program. */
import { fromBinary } from '@bufbuild/protobuf';
import { getContractAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as evm from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { MsgEthereumTxResponseSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { intrinsicGas, REFUSED_INPUTS } from '../../core/evm/refused-inputs.js';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { callsOf } from './blob-base-fee.js';
import { EVM_CHAIN_ID, GENESIS, SENDER } from './signer.js';
import { encode } from '../../support/encode.js';

const ENOUGH = 1_000_000;
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as const;

describe.skipIf(EVMD === undefined)('refused inputs in evmd and in this program', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
    await pair.block([]);
  });
  afterAll(() => pair.stop());

  // the first proof of a blob takes evmd many seconds
  test.each(REFUSED_INPUTS)(
    'a call of $address: $words',
    { timeout: 120_000 },
    async ({ address, input, words, gas = ENOUGH }) => {
      const { least, floor } = intrinsicGas(input);
      if (floor > least + gas) return;
      const limit = `0x${(least + gas).toString(16)}`;
      const call = { from: SENDER, to: addressOf(address), data: `0x${input}`, gas: limit };
      const request = { args: Buffer.from(JSON.stringify(call)), gasCap: 3_000_000n, chainId: EVM_CHAIN_ID };
      const data = encode(evm.EthCallRequestSchema, request);
      const { ours, theirs } = await pair.query('/cosmos.evm.vm.v1.Query/EthCall', data);
      const answer = fromBinary(MsgEthereumTxResponseSchema, theirs.value);
      expect(answer.vmError).toBe(words);
      expect(fromBinary(MsgEthereumTxResponseSchema, ours.value)).toEqual(answer);
    },
  );

  test('the frame of a trace has the reason', async () => {
    const [made] = await callsOf([{ data: '0x6d5f5f60015f5f600862020000f1005f52600e6012f3' }]);
    const { difference } = await pair.block(made === undefined ? [] : [made]);
    expect(difference).toBeUndefined();
    const call = { from: SENDER, to: getContractAddress({ from: SENDER, nonce: 1n }) };
    const request = {
      args: Buffer.from(JSON.stringify(call)),
      gasCap: 3_000_000n,
      chainId: EVM_CHAIN_ID,
      traceConfig: { tracer: 'callTracer' },
    };
    const data = encode(evm.QueryTraceCallRequestSchema, request);
    const { ours, theirs } = await pair.query('/cosmos.evm.vm.v1.Query/TraceCall', data);
    const errorsOf = (value: Uint8Array) => {
      const trace = Buffer.from(fromBinary(evm.QueryTraceCallResponseSchema, value).data).toString();
      return (JSON.parse(trace) as { readonly calls?: readonly { readonly error: string }[] }).calls?.map(
        ({ error }) => error,
      );
    };
    expect(errorsOf(theirs.value)).toEqual(['bad elliptic curve pairing size']);
    expect(errorsOf(ours.value)).toEqual(errorsOf(theirs.value));
  });

  test('transactions have the same results', async () => {
    const txs = await callsOf(
      REFUSED_INPUTS.map(({ address, input, gas = ENOUGH }) => {
        const { least, floor } = intrinsicGas(input);
        return { to: addressOf(address), data: `0x${input}`, gas: BigInt(Math.max(floor, least + gas)) };
      }),
      2,
    );
    for (let from = 0; from < txs.length; from += 10) {
      const { ours, theirs } = await pair.block(txs.slice(from, from + 10));
      expect(blockDifferences(ours, theirs)).toEqual([]);
    }
  });
});
