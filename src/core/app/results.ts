import type { WrittenResult } from '../comet/results-writer.js';
import type { ExecTxResult } from '../proto/tendermint/abci/types_pb.js';
import type { TxOutcome } from './run-tx.js';

/** Any 64 bits as the signed number of a result, as Go converts them. */
export function int64(gas: bigint): bigint {
  return BigInt.asIntN(64, gas);
}

/** The outcome of a transaction as it is written into the results of its block. */
export function toWritten({ code, codespace, log, data, gasWanted, gasUsed, events }: TxOutcome): WrittenResult {
  return { code, data, log, info: '', gasWanted: int64(gasWanted), gasUsed, events, codespace };
}

/** The outcome of a transaction as ABCI's result. */
export function toResult(outcome: TxOutcome): ExecTxResult {
  return { $typeName: 'tendermint.abci.ExecTxResult', ...toWritten(outcome), events: [...outcome.events] };
}
