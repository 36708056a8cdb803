/** Calls and traces of precompiles as the Go node answered them over golden chain-a. */
import { describe, expect, test } from 'vitest';
import { bytesOfDigits, hexData } from '../../../src/core/bytes/hex.js';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import { blockFromJson } from '../../../src/core/comet/json/block-json.js';
import { blockIdFromJson } from '../../../src/core/comet/json/block-id-json.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { CacheStore } from '../../../src/core/state/overlay.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { chain, timeOf } from '../app/recorded-evm.js';
import { crypto, fromHex, stateOf } from '../app/support.js';
import { recordedWrites } from '../app/recorded-state.js';

interface Exchange {
  readonly name: string;
  readonly req: { readonly body: string | null };
  readonly res: { readonly body: string };
}
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
}
interface Fields {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
}

/** The recorded calls were made when this was the newest height, or a neighbour of it with the same balances. */
const CALLED = 412n;

describe.skipIf(!hasGolden)('recorded calls of precompiles', () => {
  const heights = hasGolden ? readRecordedChain() : [];
  const exchanges = hasGolden ? goldenLines<Exchange>('faces/eth-http.jsonl') : [];
  const app = createApplication({ version: evmd, chain, crypto, evm: createEngineFactory(loadEngineModule(), crypto) });
  const { ethereum } = app;

  function stateAfter(height: bigint): CacheStore {
    const later = heights.filter((one) => one.height <= height);
    const state = stateOf([...recordedWrites(), ...later.flatMap(({ writes }) => writes)]);
    return state;
  }

  function exchange(name: string): { readonly params: readonly unknown[]; readonly answer: Answer } {
    const found = exchanges.find((one) => one.name === name);
    const { params }: { readonly params: readonly unknown[] } = JSON.parse(found?.req.body ?? '{"params":[]}');
    const answer: Answer = JSON.parse(found?.res.body ?? '{}');
    return { params, answer };
  }

  const bytesOf = (data: string): Uint8Array => bytesOfDigits(data.slice(2)) ?? new Uint8Array(0);

  function callOf(name: string) {
    const [fields] = exchange(name).params as readonly [Fields];
    const { from, to, data, value } = fields;
    return {
      ...(from !== undefined && { from: bytesOf(from) }),
      ...(to !== undefined && { to: bytesOf(to) }),
      ...(data !== undefined && { data: bytesOf(data) }),
      ...(value !== undefined && { value: BigInt(value) }),
    };
  }

  function headAt(height: bigint) {
    const recorded = heights.find((one) => one.height === height);
    const header = recorded?.block.block.header;
    return {
      chainId: chain.chainId,
      height: toHeight(height),
      time: toTimeNs(timeOf(header?.time ?? '1970-01-01T00:00:00Z')),
      hash: new Uint8Array(32),
      proposer: fromHex(header?.proposer_address ?? ''),
    };
  }

  test.each(['eth_call bank precompile', 'eth_call stake delegate', 'eth_call bad precompile input'])(
    '%s has the recorded output',
    (name) => {
      const result = ethereum?.call(stateAfter(CALLED), headAt(CALLED), callOf(name), [], {});
      const { answer } = exchange(name);
      if (result?.kind !== 'success' && result?.kind !== 'revert') throw new Error(result?.kind);
      expect(hexData(result.output)).toBe(answer.result ?? answer.error?.data);
    },
  );

  test.each([
    'transfer value',
    'token balanceOf',
    'bank precompile',
    'p256',
    'sha256',
    'stake delegate',
    'env view',
    'create',
  ])('eth_estimateGas %s has the recorded gas', (name) => {
    const { answer } = exchange(`eth_estimateGas ${name}`);
    const result = ethereum?.estimateGas(stateAfter(CALLED), headAt(CALLED), callOf(`eth_estimateGas ${name}`), []);
    expect(result).toEqual({ kind: 'gas', gas: BigInt(String(answer.result)) });
  });

  test.each([
    ['callTracer stakes', 93n],
    ['callTracer precompile', 101n],
  ])('%s has the recorded trace', (name, height) => {
    const recorded = heights.find((one) => one.height === height);
    if (recorded === undefined) throw new Error('not recorded');
    const block = blockFromJson(recorded.block.block);
    const request = {
      ...blockFacts(block, undefined),
      hash: blockIdFromJson(recorded.block.block_id).hash,
      txs: block.data?.txs ?? [],
    };
    const [trace] = ethereum?.traceTransactions(stateAfter(height - 1n), request, [0], '{"tracer":"callTracer"}') ?? [];
    if (trace?.ok !== true) throw new Error(trace?.message);
    expect(JSON.parse(trace.json)).toEqual(exchange(name).answer.result);
  });
});
