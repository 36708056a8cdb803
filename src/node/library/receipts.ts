import type { EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';

/** Who tells of every block that was published. */
export interface Commits {
  /** Answers how to leave. */
  onCommit(listener: () => void): () => void;
}

/** Waits for receipts: asks once, and again after each block, until `ended`, whose reason it rejects with. */
export function createReceipts(ethereum: JsonRpcClient<EthereumMethods>, commits: Commits, ended: AbortSignal): (hash: Hex) => Promise<TransactionReceipt> {
  return async (hash) => {
    for (;;) {
      // Listening begins before the question: a block that comes while it is asked counts.
      const leave = new AbortController();
      const commit = nextCommit(commits, AbortSignal.any([ended, leave.signal]));
      try {
        const receipt = await ethereum.request({ method: 'eth_getTransactionReceipt', params: [hash] });
        if (receipt !== null) return receipt;
        await commit;
        ended.throwIfAborted();
      } catch (error) {
        // A question that the node's end cut off fails of that end, not of its socket.
        ended.throwIfAborted();
        throw error;
      } finally {
        leave.abort();
      }
    }
  };
}

/** Resolves with the next block, or when `until` is aborted. */
function nextCommit(commits: Commits, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      leave();
      until.removeEventListener('abort', done);
      resolve();
    };
    const leave = commits.onCommit(done);
    if (until.aborted) done();
    else until.addEventListener('abort', done);
  });
}
