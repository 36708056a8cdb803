import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { consensusParamsFromJson, consensusParamsToJson } from '../../../src/core/comet/json/params-json.js';
import {
  type BlockResultsJson,
  blockResultsToJson,
  eventToJson,
  execTxResultFromJson,
  execTxResultToJson,
  finalizeBlockToJson,
  resultsFromJson,
  type SparseTxResultJson,
  sparseEventToJson,
  sparseTxResultToJson,
  txResultToJson,
} from '../../../src/core/comet/json/results-json.js';
import { fromBase64 } from '../../../src/core/bytes/base64.js';
import {
  EventSchema,
  ExecTxResultSchema,
  ResponseFinalizeBlockSchema,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';

interface TxEventJson {
  readonly TxResult: {
    readonly height: string;
    readonly index?: number;
    readonly tx: string;
    readonly result: SparseTxResultJson;
  };
}
interface NewBlockJson {
  readonly block: { readonly header: { readonly height: string } };
  readonly result_finalize_block: ReturnType<typeof finalizeBlockToJson>;
}
interface Frame {
  readonly result?: { readonly data?: { readonly type: string; readonly value: unknown } };
}

/** Values of one event type in the recorded websocket transcripts. */
function recordedValues<Value>(type: string): Value[] {
  return goldenLines<{ readonly dir: string; readonly frame?: unknown }>('faces/comet-ws.jsonl').flatMap(
    ({ dir, frame }) => {
      if (dir !== '<-' || typeof frame !== 'string' || !frame.includes(`"type":"${type}"`)) return [];
      const { result }: Frame = JSON.parse(frame);
      return result?.data?.type === type ? [result.data.value as Value] : [];
    },
  );
}

describe.skipIf(!hasGolden)('JSON of recorded values', () => {
  it('of Tx events leaves default values out', () => {
    const values = recordedValues<TxEventJson>('tendermint/event/Tx');
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const { height, index = 0, tx, result } = value.TxResult;
      expect(JSON.stringify(txResultToJson(BigInt(height), index, fromBase64(tx), execTxResultFromJson(result)))).toBe(
        JSON.stringify(value),
      );
    }
  });

  it('of NewBlock events has full results without empty lists', () => {
    const values = recordedValues<NewBlockJson>('tendermint/event/NewBlock');
    expect(values.length).toBeGreaterThan(0);
    for (const { block, result_finalize_block: recorded } of values) {
      const results: BlockResultsJson = {
        height: block.header.height,
        txs_results: recorded.tx_results ?? null,
        finalize_block_events: recorded.events ?? null,
        validator_updates: recorded.validator_updates,
        consensus_param_updates: recorded.consensus_param_updates ?? null,
        app_hash: recorded.app_hash ?? '',
      };
      expect(JSON.stringify(finalizeBlockToJson(resultsFromJson(results)))).toBe(JSON.stringify(recorded));
    }
  });

  it('of consensus_params is the same after decoding and encoding', () => {
    const answers = goldenLines<{ readonly name: string; readonly res: { readonly body?: string } }>(
      'simple-kv/single-rpc.jsonl',
    )
      .filter(({ name }) => name === 'uri /consensus_params')
      .flatMap(({ res }) => {
        const answer: { readonly result?: { readonly consensus_params: ReturnType<typeof consensusParamsToJson> } } =
          JSON.parse(res.body ?? '{}');
        return answer.result === undefined ? [] : [answer.result.consensus_params];
      });
    expect(answers.length).toBeGreaterThan(0);
    for (const params of answers)
      expect(JSON.stringify(consensusParamsToJson(consensusParamsFromJson(params)))).toBe(JSON.stringify(params));
  });
});

describe('JSON of empty values', () => {
  const bare = create(EventSchema, { type: 'bare' });

  it('has every member in a full result and none in a sparse one', () => {
    const result = create(ExecTxResultSchema);
    expect(JSON.stringify(execTxResultToJson(result))).toBe(
      '{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""}',
    );
    expect(sparseTxResultToJson(result)).toEqual({});
  });

  it('has an empty attribute list in full results only', () => {
    expect(eventToJson(bare)).toEqual({ type: 'bare', attributes: [] });
    expect(sparseEventToJson(bare)).toEqual({ type: 'bare' });
  });

  it('has null for empty lists of block results', () => {
    expect(
      JSON.stringify(blockResultsToJson(3n, create(ResponseFinalizeBlockSchema, { appHash: Uint8Array.of(1) }))),
    ).toBe(
      '{"height":"3","txs_results":null,"finalize_block_events":null,"validator_updates":null,"consensus_param_updates":null,"app_hash":"AQ=="}',
    );
  });
});
