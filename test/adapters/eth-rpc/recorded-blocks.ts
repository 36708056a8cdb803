/** Ethereum views of the recorded chain, and the answers of its own node over the Ethereum face. */
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { blockIdFromJson, type BlockIdJson } from '../../../src/core/comet/json/block-id-json.js';
import { blockFromJson, type BlockJson } from '../../../src/core/comet/json/block-json.js';
import { type BlockResultsJson, resultsFromJson } from '../../../src/core/comet/json/results-json.js';
import { ethereumBlockOf } from '../../../src/core/ethereum/block-of.js';
import type { EthereumBlock } from '../../../src/core/ethereum/block-view.js';
import { bytesOfDigits } from '../../../src/core/bytes/hex.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { toBinary } from '@bufbuild/protobuf';
import { goldenLines } from '../../support/golden.js';

interface Line {
  readonly height: number | string;
  readonly block: { readonly block_id: BlockIdJson; readonly block: BlockJson };
  readonly block_results?: BlockResultsJson;
}

export interface Exchange {
  readonly name: string;
  readonly req: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly res: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export const crypto = createPureCrypto();

/** Account of the only proposer, as the recorded node shows it. */
const MINER = bytesOfDigits('7cb61d4117ae31a12e393a1cfa3bac666481d02e') ?? new Uint8Array(20);

/** Views by height, first block to last. */
export function recordedViews(from: bigint, to: bigint): ReadonlyMap<bigint, EthereumBlock> {
  const views = new Map<bigint, EthereumBlock>();
  for (const line of goldenLines<Line>('chain-a/blocks.jsonl')) {
    const height = BigInt(line.height);
    if (height < from || height > to || line.block_results === undefined) continue;
    const block = blockFromJson(line.block.block);
    const stored = { block, blockId: blockIdFromJson(line.block.block_id), size: toBinary(BlockSchema, block).length };
    const surroundings = { miner: MINER, maxGas: 10_000_000n, genesisHash: new Uint8Array(32) };
    const results = EncodedResults.of(resultsFromJson(line.block_results));
    views.set(height, ethereumBlockOf(crypto, stored, results, surroundings));
  }
  return views;
}

export function recordedExchanges(): Exchange[] {
  return goldenLines<Exchange>('faces/eth-http.jsonl');
}

/** `result` of a recorded answer. */
export function resultOf(exchange: Exchange): unknown {
  if (!exchange.res.body.startsWith('{')) return undefined;
  return (JSON.parse(exchange.res.body) as { readonly result?: unknown }).result;
}

/** Method and params of a recorded request; undefined unless it is a single call. */
export function callOf(
  exchange: Exchange,
): { readonly method: string; readonly params: readonly unknown[] } | undefined {
  try {
    const request = JSON.parse(exchange.req.body ?? '') as {
      readonly method?: string;
      readonly params?: readonly unknown[];
    };
    return typeof request.method === 'string' && Array.isArray(request.params)
      ? { method: request.method, params: request.params }
      : undefined;
  } catch {
    return undefined;
  }
}
