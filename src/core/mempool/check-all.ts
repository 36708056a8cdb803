import type { CheckedEntries } from './checked-entries.js';
import type { PoolTransaction } from './pool-transaction.js';

/** Units of work that a check takes: of one Ethereum transaction in the line of its sender, and of any other. */
const LINE_UNITS = 1;
const CHECK_UNITS = 4;
/** Transactions of one line that are checked in one step. */
const LINE_STEP = 64;

type Steps = Generator<number, void>;

/**
 * Checks everything over a fresh check state: the pending transactions in order of admission, then the queued ones.
 * Each step returns its units of work.
 */
export function* checkAll(entries: CheckedEntries): Steps {
  const pending = entries.pool.entries('pending');
  const sdkAccounts = accountsOfCosmos(pending);
  // A sender whose transactions no other account's can make invalid has a line of its own, checked in one go.
  const lines = new Map<string, PoolTransaction[]>();
  for (const transaction of pending) {
    const sender = transaction.kind === 'ethereum' ? transaction.accounts[0]?.address : undefined;
    if (sender === undefined || sdkAccounts.has(sender)) {
      if (!entries.passes(transaction)) entries.leavePending(transaction);
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

/** Ethereum transactions of one sender, in order of their nonces. */
function* checkLine(entries: CheckedEntries, sender: string, line: readonly PoolTransaction[]): Steps {
  for (let first = 0; first < line.length; first += LINE_STEP) {
    const part = line.slice(first, first + LINE_STEP);
    const passed = entries.checks.recheck(
      sender,
      part.map(({ tx }) => tx),
    );
    for (const [index, transaction] of part.entries()) if (passed[index] !== true) entries.leavePending(transaction);
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
