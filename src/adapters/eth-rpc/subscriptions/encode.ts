/**
 * Notification bodies of blocks and admissions. The cursor of a head and of an admission is its position; the cursor of a
 * log also names the log, because many of them share a position.
 */
import { hexData } from '../../../core/bytes/hex.js';
import { headerJson } from '../../../core/ethereum/json/block-json.js';
import { logJson } from '../../../core/ethereum/json/log-json.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { matchesLog } from '../../../core/ethereum/log-match.js';
import { cursorText, type Cursor } from '../../../core/subscriptions/index.js';
import {
  isInRange,
  type EthereumWants,
  type LogMatch,
  type ShownBlock,
  type ShownPending,
} from '../../../core/subscriptions/ethereum/index.js';
import { bodyOf } from './notification.js';

export function headBody({ block, position }: ShownBlock): string {
  return bodyOf(headerJson(block), cursorText(position, undefined));
}

export function logBody(
  { block, position }: ShownBlock,
  { log, transaction }: Pick<LogMatch, 'log' | 'transaction'>,
): string {
  return bodyOf(logJson(log, transaction, block), cursorText(position, log.logIndex));
}

export function pendingBody({ transaction, position }: ShownPending, full: boolean): string {
  return bodyOf(
    full ? pendingTransactionJson(transaction) : `"${hexData(transaction.hash)}"`,
    cursorText(position, undefined),
  );
}

/** Bodies of a block for one subscription that looks back; `seen` says which of its logs a client has already. */
export function bodiesOfBlock(wants: EthereumWants, shown: ShownBlock, seen: Cursor['partial']): readonly string[] {
  const { block, position } = shown;
  if (wants.kind === 'newHeads') return (wants.fromBlock ?? 0n) <= block.height ? [headBody(shown)] : [];
  if (wants.kind !== 'logs' || !isInRange(wants.criteria, block.height)) return [];
  const lastSeen = seen?.within === position ? seen.index : -1;
  return block.transactions.flatMap((transaction) =>
    transaction.receipt.logs
      .filter((log) => log.logIndex > lastSeen && matchesLog(wants.criteria, log))
      .map((log) => logBody(shown, { log, transaction })),
  );
}
