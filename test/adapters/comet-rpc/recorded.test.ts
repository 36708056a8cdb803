import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { createCometRpc } from '../../../src/adapters/comet-rpc/index.js';
import { execTxResultFromJson, type ExecTxResultJson } from '../../../src/core/comet/json/results-json.js';
import { fromBase64 } from '../../../src/core/bytes/base64.js';
import { fromHex } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { ResponseCheckTxSchema, type ResponseCheckTx } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { type Exchange, type RecordedNodeOptions, SINGLE, type Steering, recordedNode } from './recorded-node.js';

/** Recorded requests whose answers differ here, and the reason (docs/interfaces/comet-rpc.md lists them for users). */
function difference({ name, req, res }: Exchange): string | undefined {
  if (res.body.includes('reflect: Call with too few input arguments'))
    return 'absent params mean defaults instead of a panic';
  if (name === 'body 1000001 bytes')
    return 'the body is not in the recording; test/adapters/comet-rpc/http.test.ts has the case';
  if (`${req.path}${req.body ?? ''}`.includes('net_info')) return 'nobody listens for peers';
  if (req.path === '/block_results' || /"method":"block_results","params":\{\}/.test(req.body ?? ''))
    return 'the recorded chain has no results of height 400';
  if (req.path.includes('mint.amount')) return 'the recorded chain lacks the events of most blocks';
  if (req.path.includes('ethereumTxHash%3D0x'))
    return 'hashes need no quotes in queries (docs/interfaces/comet-rpc.md)';
  return undefined;
}

/** Sets the node's controls so that the application and the mempool answer as in the recording. */
function steer(steering: Steering, { req, res }: Exchange): void {
  const { result, error } = (res.body.startsWith('{') && !CUT.test(res.body) ? JSON.parse(res.body) : {}) as {
    result?: {
      response?: Record<string, never>;
      code?: number;
      data?: string;
      log?: string;
      codespace?: string;
      hash?: string;
      height?: string;
      check_tx?: ExecTxResultJson;
      tx_result?: ExecTxResultJson;
      txs?: string[] | null;
      n_txs?: string;
    };
    error?: { data?: string };
  };
  const call = `${req.path} ${req.body ?? ''}`;
  const checked = (fields: Partial<ExecTxResultJson>): ResponseCheckTx => {
    const { code, data, log, info, gasWanted, gasUsed, events, codespace } = execTxResultFromJson(fields);
    return create(ResponseCheckTxSchema, { code, data, log, info, gasWanted, gasUsed, events, codespace });
  };
  steering.included = undefined;
  if (result?.response !== undefined) {
    const response = result.response as unknown as {
      code: number;
      log: string;
      info: string;
      index?: string;
      key: string | null;
      value: string | null;
      height: string;
      codespace: string;
      proofOps: { ops: { type: string; key: string; data: string }[] } | null;
    };
    steering.abci = () => ({
      code: response.code,
      log: response.log,
      info: response.info,
      index: BigInt(response.index ?? 0),
      key: fromBase64(response.key),
      value: fromBase64(response.value),
      height: BigInt(response.height ?? 0),
      codespace: response.codespace,
      proofOps: response.proofOps?.ops.map((op) => ({
        type: op.type,
        key: fromBase64(op.key),
        data: fromBase64(op.data),
      })),
    });
  } else if (error?.data === 'tx already exists in cache')
    steering.admission = { ok: false, error: { code: 'tx-in-cache' } };
  else if (result?.check_tx !== undefined && result.tx_result !== undefined) {
    steering.admission = { ok: true, value: checked(result.check_tx) };
    if (result.height !== '0')
      steering.included = {
        hash: fromHex(result.hash ?? ''),
        height: toHeight(BigInt(result.height ?? 0)),
        index: 0,
        tx: new Uint8Array(),
        result: execTxResultFromJson(result.tx_result),
      };
  } else if (call.includes('broadcast_tx_sync') && result !== undefined) {
    steering.admission = {
      ok: true,
      value: create(ResponseCheckTxSchema, {
        code: result.code ?? 0,
        data: fromHex(result.data ?? ''),
        log: result.log ?? '',
        codespace: result.codespace ?? '',
      }),
    };
  } else if (call.includes('check_tx') && result !== undefined)
    steering.admission = { ok: true, value: checked(result as Partial<ExecTxResultJson>) };
  else if (call.includes('broadcast_tx_async'))
    steering.admission = { ok: true, value: create(ResponseCheckTxSchema, { code: 18, log: 'not shown by async' }) };
  else if (call.includes('unconfirmed_txs') && result?.n_txs !== undefined && result.txs)
    steering.pending = result.txs.map(fromBase64);
}

/** The recording keeps only the beginning and the length of some long answers. */
const CUT = /^([\s\S]*)\.\.\.cut by the recorder, (\d+) characters/;

/**
 * The time of a decision and the timeouts after it are known only to the recorded node: blanked. The data of an
 * accepted CheckTx is the application's choice between null and empty (docs/interfaces/comet-rpc.md); the key-value
 * application wants 1 gas.
 */
function normalised(body: string): string {
  return body
    .replace(/"data":(null|"")(?=,"log":"","info":"","gas_wanted":"1",)/g, '"data":""')
    .replace(/"(start|commit)_time":"[^"]*"/g, '"$1_time":""');
}

/**
 * Answers of the single node that need another head than the others, and answers of its application whose texts
 * differ from the SDK's.
 */
function differenceOfSingle(exchange: Exchange): string | undefined {
  if (exchange.name === 'validators after update' || exchange.name === 'dump after')
    return 'recorded above the last block that was kept';
  return difference(exchange);
}

function replay(
  title: string,
  exchanges: readonly Exchange[],
  options: RecordedNodeOptions | undefined,
  application: { readonly name: string; readonly version: string },
  why: (exchange: Exchange) => string | undefined,
): void {
  const { api, steering } = recordedNode(exchanges, options);
  const rpc = createCometRpc({
    api,
    limits: { ...DEFAULT_LIMITS, batchRequests: 10 },
    timers: { after: () => () => undefined, yield: () => Promise.resolve() },
    application,
    strict: true,
    onDefect: (error) => {
      throw error;
    },
  });

  describe(title, () => {
    for (const [index, exchange] of exchanges.entries()) {
      const { name, req, res } = exchange;
      const call = `${index} ${name}: ${req.method} ${req.path.slice(0, 80)} ${(req.body ?? '').slice(0, 80)}`;
      const reason = why(exchange);
      if (reason !== undefined) {
        it.skip(`${call} (${reason})`);
        continue;
      }
      it(call, async () => {
        steer(steering, exchange);
        const mark = req.path.indexOf('?');
        const answer = await rpc.http({
          method: req.method,
          path: mark < 0 ? req.path : req.path.slice(0, mark),
          query: mark < 0 ? '' : req.path.slice(mark + 1),
          headers: new Map([
            ['host', options === undefined ? '127.0.0.1:27101' : '127.0.0.1:27301'],
            ...Object.entries(req.headers ?? {}),
          ]),
          body: new TextEncoder().encode(req.body ?? ''),
        });
        const body = String(answer.body);
        const [, beginning, length] = CUT.exec(res.body) ?? [];
        if (beginning !== undefined)
          expect([body.slice(0, beginning.length), String(body.length)]).toEqual([beginning, length]);
        else if (req.method !== 'HEAD') expect(normalised(body)).toBe(normalised(res.body));
        expect(answer.status).toBe(res.status);
        expect(answer.headers['content-type']).toBe(res.headers['content-type']);
        // CometBFT marks errors, /blockchain and /abci_info as cacheable, which is a defect.
        const neverCached = res.body.includes('"error"') || /blockchain|abci_info/.test(`${req.path}${req.body ?? ''}`);
        expect(answer.headers['cache-control']).toBe(neverCached ? undefined : res.headers['cache-control']);
      });
    }
  });
}

if (!hasGolden) describe('is skipped because the golden data is absent', () => it.skip('golden data absent'));
else {
  replay(
    'recorded consensus RPC, strict',
    goldenLines<Exchange>('faces/comet-rpc.jsonl'),
    undefined,
    { name: 'evmd', version: 'v0.6.0' },
    difference,
  );
  replay(
    'recorded single node, strict',
    goldenLines<Exchange>('simple-kv/single-rpc.jsonl'),
    SINGLE,
    { name: '{"size":4}', version: '2.0.0' },
    differenceOfSingle,
  );
}
