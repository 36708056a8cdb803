import type { WrittenResult } from '../comet/results-writer.js';
import type { ExecTxResult } from '../proto/tendermint/abci/types_pb.js';
import type { TxOutcome } from './run-tx.js';

/** Converts 64 bits to the signed number in a result, like Go. */
export function int64(gas: bigint): bigint {
  return BigInt.asIntN(64, gas);
}

/** Converts an outcome to the form that block results are written from. */
export function toWritten({ code, codespace, log, data, gasWanted, gasUsed, events }: TxOutcome): WrittenResult {
  return { code, data, log, info: '', gasWanted: int64(gasWanted), gasUsed, events, codespace };
}

/** Converts an outcome to ABCI's ExecTxResult. */
export function toResult(outcome: TxOutcome): ExecTxResult {
  return { $typeName: 'tendermint.abci.ExecTxResult', ...toWritten(outcome), events: [...outcome.events] };
}
