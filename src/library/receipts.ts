import type { EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';

/** Source of published blocks. */
export interface Commits {
  /** Calls `listener` for every block; returns the function that unsubscribes. */
  onCommit(listener: () => void): () => void;
}

/** Waits for receipts: asks once, and again after each block, until `ended`, and rejects with its reason. */
export function createReceipts(
  ethereum: JsonRpcClient<EthereumMethods>,
  commits: Commits,
  ended: AbortSignal,
): (hash: Hex) => Promise<TransactionReceipt> {
  return async (hash) => {
    for (;;) {
      // Subscribe before asking, so that a block published during the request is not missed.
      const next = nextCommit(commits, ended);
      try {
        const receipt = await ethereum.request({ method: 'eth_getTransactionReceipt', params: [hash] });
        if (receipt !== null) return receipt;
        await next.came;
        ended.throwIfAborted();
      } catch (error) {
        // If the node ended during the request, reject with that reason instead of the socket's error.
        ended.throwIfAborted();
        throw error;
      } finally {
        next.leave();
      }
    }
  };
}

/** `came` resolves at the next block or when `ended` aborts; `leave` unsubscribes and resolves it early. */
function nextCommit(
  commits: Commits,
  ended: AbortSignal,
): { readonly came: Promise<void>; readonly leave: () => void } {
  let leave = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    const forget = commits.onCommit(() => leave());
    leave = () => {
      forget();
      ended.removeEventListener('abort', leave);
      resolve();
    };
    if (ended.aborted) leave();
    else ended.addEventListener('abort', leave);
  });
  return { came, leave };
}
