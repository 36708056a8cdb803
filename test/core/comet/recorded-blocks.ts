import type { BlockIdJson } from '../../../src/core/comet/json/block-id-json.js';
import type { BlockJson } from '../../../src/core/comet/json/block-json.js';
import type { CommitJson } from '../../../src/core/comet/json/commit-json.js';
import type { HeaderJson } from '../../../src/core/comet/json/header-json.js';
import type { BlockResultsJson } from '../../../src/core/comet/json/results-json.js';
import type { ValidatorJson } from '../../../src/core/comet/json/validator-json.js';
import { goldenLines } from '../../support/golden.js';

/** One line of a recorded chain: the `result` of each RPC route at that height. */
export interface RecordedHeight {
  readonly height: number;
  readonly block: { readonly block_id: BlockIdJson; readonly block: BlockJson };
  readonly block_results?: BlockResultsJson;
  readonly commit?: {
    readonly signed_header: { readonly header: HeaderJson; readonly commit: CommitJson };
    readonly canonical: boolean;
  };
  readonly header?: { readonly header: HeaderJson };
  readonly validators?: {
    readonly block_height: string;
    readonly validators: readonly ValidatorJson[];
    readonly count: string;
    readonly total: string;
  };
}

export const RECORDED_CHAINS = [
  'chain-a/blocks.jsonl',
  'simple-kv/single-blocks.jsonl',
  'simple-kv/net4-blocks.jsonl',
  'simple-kv/net4b-blocks.jsonl',
] as const;

export function recordedHeights(name: string): readonly RecordedHeight[] {
  return goldenLines<RecordedHeight>(name);
}
