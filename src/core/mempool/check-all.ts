import type { CheckedEntries } from './checked-entries.js';
import type { PoolTransaction } from './pool-transaction.js';

/** Cost of a check in units of work: of an Ethereum transaction in its sender's batch, and of any other transaction. */
const LINE_UNITS = 1;
const CHECK_UNITS = 4;
/** Number of transactions of one sender that are checked per step. */
const LINE_STEP = 64;

type Steps = Generator<number, void>;

/**
 * Rechecks the whole pool on a fresh check state: pending transactions in order of admission, then queued ones. Each
 * step yields its units of work.
 */
export function* checkAll(entries: CheckedEntries): Steps {
  const pending = entries.pool.entries('pending');
  const sdkAccounts = accountsOfCosmos(pending);
  // Transactions of a sender that no other account's transactions can invalidate are checked as one batch.
  const lines = new Map<string, PoolTransaction[]>();
  for (const transaction of pending) {
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0]?.address : undefined;
    if (sender === undefined || sdkAccounts.has(sender)) {
      if (!entries.passes(transaction)) entries.demote(transaction);
      yield CHECK_UNITS;
      continue;
    }
    const line = lines.get(sender);
    if (line === undefined) lines.set(sender, [transaction]);
    else line.push(transaction);
  }
  for (const [sender, line] of lines) yield* checkLine(entries, sender, line);
  yield* checkQueued(entries);
}

function accountsOfCosmos(transactions: readonly PoolTransaction[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, accounts } of transactions)
    if (kind === 'cosmos') for (const { address } of accounts) found.add(address);
  return found;
}

/** Checks the Ethereum transactions of one sender, in nonce order. */
function* checkLine(entries: CheckedEntries, sender: string, line: readonly PoolTransaction[]): Steps {
  for (let first = 0; first < line.length; first += LINE_STEP) {
    const part = line.slice(first, first + LINE_STEP);
    const passed = entries.checks.recheck(
      sender,
      part.map(({ tx }) => tx),
    );
    for (const [index, transaction] of part.entries()) if (passed[index] !== true) entries.demote(transaction);
    yield part.length * LINE_UNITS;
  }
}

function* checkQueued(entries: CheckedEntries): Steps {
  const { pool, checks } = entries;
  for (const transaction of pool.entries('queued')) {
    const [sender] = transaction.accounts;
    if (sender === undefined || pool.placeOf(transaction.hash) !== 'queued') continue;
    const next = checks.nextNonce(sender.address);
    if (sender.nonce < next) entries.drop(transaction);
    else if (sender.nonce === next) entries.promote(sender.address);
    yield CHECK_UNITS;
  }
}
