import type { ExecTxResult } from '../proto/tendermint/abci/types_pb.js';
import type { TxOutcome } from './run-tx.js';

/** Any 64 bits as the signed number of a result, as Go converts them. */
export function int64(gas: bigint): bigint {
  return BigInt.asIntN(64, gas);
}

/** The outcome of a transaction as ABCI's result. */
export function toResult({ code, codespace, log, data, gasWanted, gasUsed, events }: TxOutcome): ExecTxResult {
  return {
    $typeName: 'tendermint.abci.ExecTxResult',
    code,
    codespace,
    log,
    data,
    info: '',
    gasWanted: int64(gasWanted),
    gasUsed,
    events: [...events],
  };
}
