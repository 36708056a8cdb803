import { hexData, hexQuantity } from '../../bytes/hex.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../block-view.js';
import { revertMessage } from '../revert-reason.js';
import type { SimulatedBlock, SimulatedCallResult, Simulation } from '../simulation.js';
import { blockJson } from './block-json.js';
import { logJson } from './log-json.js';

/** JSON of one block of `eth_simulateV1`: a block with a field `calls`. */
export function simulatedBlockJson(
  { block, calls }: SimulatedBlock,
  { fullTransactions, failureCodes }: Pick<Simulation, 'fullTransactions' | 'failureCodes'>,
): string {
  const results = calls.map((call, index) => callJson(call, block, block.transactions[index], failureCodes));
  return `${blockJson(block, fullTransactions).slice(0, -1)},"calls":[${results.join(',')}]}`;
}

function callJson(
  { output, logs, gasUsed, maxUsedGas, failure }: SimulatedCallResult,
  block: EthereumBlock,
  transaction: EthereumBlockTransaction | undefined,
  codes: Simulation['failureCodes'],
): string {
  const shown = transaction === undefined ? [] : logs.map((log) => logJson(log, transaction, block));
  return (
    `{"returnData":"${hexData(output)}","logs":[${shown.join(',')}],"gasUsed":"${hexQuantity(gasUsed)}"` +
    `,"maxUsedGas":"${hexQuantity(maxUsedGas)}","status":"${failure === undefined ? '0x1' : '0x0'}"${failureJson(failure, codes)}}`
  );
}

function failureJson(failure: SimulatedCallResult['failure'], codes: Simulation['failureCodes']): string {
  if (failure === undefined) return '';
  const error =
    failure.kind === 'revert'
      ? { message: revertMessage(failure.output), code: codes.revert, data: hexData(failure.output) }
      : { message: failure.message, code: codes.halt };
  return `,"error":${JSON.stringify(error)}`;
}
