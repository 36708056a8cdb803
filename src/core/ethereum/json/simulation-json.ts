import { hexData, hexQuantity } from '../../bytes/hex.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { revertMessage } from '../revert-reason.js';
import type { SimulatedBlock, SimulatedCallResult } from '../simulation.js';
import { blockJson } from './block-json.js';
import { logJson } from './log-json.js';

/** Codes of failed calls (execution-apis `src/eth/execute.yaml`). */
const REVERTED = 3;
const VM_ERROR = -32015;

/** One block of the answer to `eth_simulateV1`: a block with a member `calls`. */
export function simulatedBlockJson({ block, calls }: SimulatedBlock, fullTransactions: boolean): string {
  const results = calls.map((call, index) => callJson(call, block, block.transactions[index]));
  return `${blockJson(block, fullTransactions).slice(0, -1)},"calls":[${results.join(',')}]}`;
}

function callJson(
  { output, logs, gasUsed, maxUsedGas, failure }: SimulatedCallResult,
  block: EthereumBlock,
  transaction: EthereumBlockTransaction | undefined,
): string {
  const shown = transaction === undefined ? [] : logs.map((log) => logJson(log, transaction, block));
  return (
    `{"returnData":"${hexData(output)}","logs":[${shown.join(',')}],"gasUsed":"${hexQuantity(gasUsed)}"` +
    `,"maxUsedGas":"${hexQuantity(maxUsedGas)}","status":"${failure === undefined ? '0x1' : '0x0'}"${failureJson(failure)}}`
  );
}

function failureJson(failure: SimulatedCallResult['failure']): string {
  if (failure === undefined) return '';
  const error =
    failure.kind === 'revert'
      ? { message: revertMessage(failure.output), code: REVERTED, data: hexData(failure.output) }
      : { message: failure.message, code: VM_ERROR };
  return `,"error":${JSON.stringify(error)}`;
}
