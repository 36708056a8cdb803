/**
 * Gas price methods. Prices are the head's base fee, as in geth (v1.17 `internal/ethapi/api.go` GasPrice), plus the
 * tip of cosmos/evm (v0.6 `rpc/backend/chain_info.go` SuggestGasTipCap), so that the next blocks accept them.
 */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { highest, missingTip, suggestedPrice, suggestedTip } from '../../../core/ethereum/suggested-price.js';
import { hexQuantity } from '../../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import { toHeight } from '../../../core/primitives.js';
import { serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { type BlockNumberRef, blockNumber } from '../params/block-ref.js';
import { count, percentiles } from '../params/numbers.js';
import { withDefault } from '../params/param.js';
import { resolveHeight } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

const { ethFeeHistoryBlocksPerTurn: blocksPerTurn, ethFeeHistoryDecodedPerTurn: decodedPerTurn } = FIXED_LIMITS;
const NO_HISTORY = ok('{"oldestBlock":"0x0","baseFeePerGas":[],"gasUsedRatio":[]}');

/** The price of `eth_gasPrice` in wei: set by `miner_setGasPrice` (dev mode), else suggested. */
export function suggestedGasPrice(api: EthereumApi): bigint {
  return api.dev?.quotes.gasPrice ?? suggestedPrice(api);
}

export const feeMethods: readonly Method[] = [
  method('eth_gasPrice', 'Suggested gas price in wei', [], schema.QUANTITY, (_values, { api }) =>
    quoted(hexQuantity(suggestedGasPrice(api))),
  ),
  method('eth_maxPriorityFeePerGas', 'Suggested tip in wei', [], schema.QUANTITY, (_values, { api }) =>
    quoted(hexQuantity(suggestedTip(api))),
  ),
  method('eth_baseFee', 'Base fee of the next block in wei', [], schema.QUANTITY, (_values, { api }) =>
    quoted(hexQuantity(api.nextBaseFee())),
  ),
  // there are no blobs, so the price is the minimum
  method('eth_blobBaseFee', 'Price of blob gas: the minimum, for there are no blobs', [], schema.QUANTITY, () =>
    quoted('0x1'),
  ),
  method(
    'eth_feeHistory',
    'Base fees, use of gas and tips of past blocks',
    [count, blockNumber, withDefault(percentiles, [])],
    result.FEE_HISTORY,
    ([blocks, newest, percentages], context) => feeHistory(blocks, newest, percentages, context),
  ),
];

async function feeHistory(
  requested: bigint,
  newest: BlockNumberRef,
  percentages: readonly number[],
  { api, limits, timers }: MethodContext,
): Promise<Answer> {
  const refusal = refusePercentiles(percentages, limits.ethFeeHistoryPercentiles);
  if (refusal !== undefined) return failed(serverError(refusal));
  const head = api.blockNumber();
  if (newest.kind === 'number' && newest.number > head)
    return failed(serverError(`request beyond head block: requested ${newest.number}, head ${head}`));
  const resolved = resolveHeight(api, newest);
  if (!resolved.ok) return failed(resolved.error);
  const last = resolved.value;
  const available = last - api.earliestBlock() + 1n;
  const maximum = BigInt(limits.ethFeeHistoryBlocks);
  const blocks = [requested, available, maximum].reduce((least, one) => (one < least ? one : least));
  if (blocks < 1n) return NO_HISTORY;
  const oldest = last - blocks + 1n;
  const baseFees: string[] = [];
  const ratios: number[] = [];
  const rewards: string[] = [];
  // added to rewards: clients pay the newest reward on top of the next base fee
  const missing = missingTip(api);
  let read = 0;
  let decoded = 0;
  for (let height = oldest; height <= last; height += 1n) {
    if (read === blocksPerTurn || decoded >= decodedPerTurn) {
      await timers.yield();
      [read, decoded] = [0, 0];
    }
    const isInMemory = api.isInMemory(toHeight(height));
    const block = api.block(toHeight(height));
    if (block === undefined) return failed(serverError('header not found'));
    read += 1;
    if (!isInMemory) decoded += block.transactions.length;
    baseFees.push(hexQuantity(block.baseFeePerGas ?? 0n));
    ratios.push(block.gasLimit === 0n ? 0 : Number(block.gasUsed) / Number(block.gasLimit));
    const tips = rewardsOf(block, percentages).map((tip) => hexQuantity(height === head ? highest(tip, missing) : tip));
    rewards.push(`["${tips.join('","')}"]`);
  }
  const after = last >= head ? api.nextBaseFee(last) : (api.block(toHeight(last + 1n))?.baseFeePerGas ?? 0n);
  baseFees.push(hexQuantity(after));
  const ones = baseFees.map(() => '"0x1"').join(',');
  const reward = percentages.length === 0 ? '' : `,"reward":[${rewards.join(',')}]`;
  return ok(
    `{"oldestBlock":"${hexQuantity(oldest)}","baseFeePerGas":["${baseFees.join('","')}"],"gasUsedRatio":${JSON.stringify(ratios)}${reward}` +
      `,"baseFeePerBlobGas":[${ones}],"blobGasUsedRatio":${JSON.stringify(ratios.map(() => 0))}}`,
  );
}

function refusePercentiles(percentages: readonly number[], maximum: number): string | undefined {
  if (percentages.length > maximum) return `invalid reward percentile: over the query limit ${maximum}`;
  for (const [index, percentile] of percentages.entries()) {
    if (percentile < 0 || percentile > 100) return `invalid reward percentile: ${percentile.toFixed(6)}`;
    const before = percentages[index - 1];
    if (before !== undefined && percentile <= before)
      return `invalid reward percentile: #${index - 1}:${before.toFixed(6)} >= #${index}:${percentile.toFixed(6)}`;
  }
  return undefined;
}

/**
 * Effective tips at percentiles of the block's gas: transactions are sorted by tip, and a percentile gives the tip of
 * the transaction that reaches it.
 */
function rewardsOf(
  { transactions, gasUsed, baseFeePerGas = 0n }: EthereumBlock,
  percentages: readonly number[],
): readonly bigint[] {
  const paid = transactions
    .map(({ receipt }) => ({ tip: receipt.effectiveGasPrice - baseFeePerGas, gas: receipt.gasUsed }))
    .toSorted((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
  let position = 0;
  let reached = paid[0]?.gas ?? 0n;
  return percentages.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(gasUsed) * percentile) / 100));
    while (reached < threshold && position < paid.length - 1) {
      position += 1;
      reached += paid[position]?.gas ?? 0n;
    }
    return paid[position]?.tip ?? 0n;
  });
}
