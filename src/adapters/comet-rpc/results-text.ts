/**
 * JSON text of transaction results and of /block_results. The data of a transaction may have megabytes: its base64 is
 * written without a search for characters to escape.
 */
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { blockResultsToJson, execTxResultToJson } from '../../core/comet/json/results-json.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { ExecTxResult } from '../../core/proto/tendermint/abci/types_pb.js';
import { goJson } from '../raw-json.js';

/** A full result, as in check_tx, tx and tx_search. */
export function txResultText(result: ExecTxResult): string {
  const { code, data, ...rest } = execTxResultToJson(result);
  return `{"code":${code},"data":${data === null ? 'null' : `"${data}"`},${goJson(rest).slice(1)}`;
}

/** The /block_results result, written over several turns of the event loop if it is long. */
export async function blockResultsText(
  height: bigint,
  results: EncodedResults,
  timers: Pick<Timers, 'yield'>,
): Promise<string> {
  const texts: string[] = [];
  let written = 0;
  for (let index = 0; index < results.txCount; index += 1) {
    if (written >= FIXED_LIMITS.resultCharactersPerTurn) {
      await timers.yield();
      written = 0;
    }
    const result = results.txResult(index);
    invariant(result !== undefined, 'there are results for all transactions');
    const text = txResultText(result);
    texts.push(text);
    written += text.length;
  }
  const { events, validatorUpdates, consensusParamUpdates, appHash } = results;
  const others = { events, txResults: [], validatorUpdates, consensusParamUpdates, appHash };
  const { height: number, txs_results: none, ...rest } = blockResultsToJson(height, others);
  const txs = texts.length === 0 ? goJson(none) : `[${texts.join(',')}]`;
  return `{"height":"${number}","txs_results":${txs},${goJson(rest).slice(1)}`;
}
