/** Roots and bloom of large blocks, computed over several turns of the event loop. A block keeps what was computed. */
import { itemsOf } from '../../core/ethereum/block-items.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { compute } from '../../core/on-first-call.js';
import type { Timers } from '../../core/ports/time.js';
import { manyLogs } from './block-logs.js';

const { ethDigestItemsPerTurn: PER_TURN } = FIXED_LIMITS;
const computed = new WeakSet<EthereumBlock>();

/** Computes the digests of a large block. Undefined for a small block, and for one whose digests are computed. */
export function largeDigests(block: EthereumBlock, timers: Pick<Timers, 'yield'>): Promise<void> | undefined {
  if (computed.has(block)) return undefined;
  return itemsOf(block) <= PER_TURN ? undefined : computeDigests(block, timers);
}

async function computeDigests(block: EthereumBlock, timers: Pick<Timers, 'yield'>): Promise<void> {
  await manyLogs(block.transactions, timers);
  let items = 0;
  for (const { receipt } of block.transactions) {
    if (items >= PER_TURN) {
      await timers.yield();
      items = 0;
    }
    items += 1 + receipt.logCount;
    compute(receipt, 'logsBloom');
  }
  for (const digest of ['logsBloom', 'transactionsRoot', 'receiptsRoot'] as const) {
    await timers.yield();
    compute(block, digest);
  }
  computed.add(block);
}
