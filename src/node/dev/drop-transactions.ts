import { fromHex, hex, upperHex } from '../../core/bytes/hex.js';
import type { MempoolView } from '../../actors/mempool/mempool.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import type { Outcome } from '../../core/node-api.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { NodeStreams } from '../compose/wiring.js';
import { betweenBlocks, type BlockProducer } from './mine.js';

export interface DropOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly streams: Pick<NodeStreams, 'reached'>;
  readonly mempool: Pick<MempoolView, 'entries' | 'get'>;
  readonly consensus: Pick<BlockProducer, 'pause'>;
}

/** Selects pending transactions to drop. */
export type Dropped =
  | { readonly kind: 'one'; readonly hash: Uint8Array }
  | { readonly kind: 'of'; readonly sender: Uint8Array }
  | { readonly kind: 'all' };

/**
 * Removes pending transactions from the pool with a TxDropped event. It runs between two blocks, so that none of them
 * is in a proposal. Resolves with their number.
 */
export function dropTransactions(
  { log, streams, mempool, consensus }: DropOptions,
  which: Dropped,
): Promise<Outcome<number>> {
  return betweenBlocks(consensus, async () => {
    const hashes = chosen(mempool, which).map(({ hash }) => fromHex(hash));
    if (hashes.length === 0) return { ok: true, value: 0 };
    const [recorded] = await log.append([{ event: { type: 'TxDropped', v: 1, data: { hashes } } }]);
    if (recorded !== undefined) await streams.reached(recorded.position);
    return { ok: true, value: hashes.length };
  });
}

function chosen(mempool: DropOptions['mempool'], which: Dropped): readonly PoolTransaction[] {
  if (which.kind === 'one') {
    const found = mempool.get(upperHex(which.hash));
    return found === undefined ? [] : [found];
  }
  const waiting = [...mempool.entries('pending'), ...mempool.entries('queued')];
  if (which.kind === 'all') return waiting;
  const address = hex(which.sender);
  return waiting.filter(({ accounts }) => accounts.some((account) => account.address === address));
}
