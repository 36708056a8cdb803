/** Names of the functions that listed transactions call. Uses `eth_getTransactionByHash`. */
import { signal } from '@preact/signals';
import { functionName } from './contracts.js';
import { askAll, type EthereumTx, valueOf } from './ethereum.js';

/** Maximum number of cached transactions, and of transactions per request. */
const MOST_KEPT = 5_000;
const MOST_ASKED = 50;
/** Characters of a selector: `0x` and four bytes. */
const SELECTOR = 10;

/** Changes when transactions were fetched. */
const answered = signal(0);
/** Selectors by transaction hash; a hash identifies a transaction on every branch. */
const selectors = new Map<string, string>();
const wanted = new Set<string>();
let isAsking = false;

/**
 * The function that an Ethereum transaction calls: its name, or its selector if no ABI has it. Undefined for one
 * without data, and until the node answers; then the caller is rendered again.
 */
export function calledFunction(
  hash: string,
  to: string,
): { readonly name: string; readonly isKnown: boolean } | undefined {
  void answered.value;
  const selector = selectors.get(hash);
  if (selector === undefined) {
    wanted.add(hash);
    if (!isAsking) {
      isAsking = true;
      queueMicrotask(() => void askWanted().catch(() => undefined));
    }
    return undefined;
  }
  if (selector.length < SELECTOR) return undefined;
  const name = functionName(to, selector);
  return { name: name ?? selector, isKnown: name !== undefined };
}

async function askWanted(): Promise<void> {
  try {
    while (wanted.size > 0) {
      const hashes = [...wanted].slice(0, MOST_ASKED);
      for (const hash of hashes) wanted.delete(hash);
      const found = await askAll(hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })));
      if (selectors.size > MOST_KEPT) selectors.clear();
      hashes.forEach((hash, at) => selectors.set(hash, valueOf<EthereumTx>(found[at])?.input.slice(0, SELECTOR) ?? ''));
      answered.value += 1;
    }
  } finally {
    isAsking = false;
  }
}
