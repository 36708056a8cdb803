import type { EthereumMethods, Hex, JsonRpcClient, TransactionReceipt } from './methods.js';

/** Who tells of every block that was published. */
export interface Commits {
  /** Answers how to leave. */
  onCommit(listener: () => void): () => void;
}

/** Waits for receipts: asks once, and again after each block, until `ended`, whose reason it rejects with. */
export function createReceipts(
  ethereum: JsonRpcClient<EthereumMethods>,
  commits: Commits,
  ended: AbortSignal,
): (hash: Hex) => Promise<TransactionReceipt> {
  return async (hash) => {
    for (;;) {
      // Listening begins before the question: a block that comes while it is asked counts.
      const next = nextCommit(commits, ended);
      try {
        const receipt = await ethereum.request({ method: 'eth_getTransactionReceipt', params: [hash] });
        if (receipt !== null) return receipt;
        await next.came;
        ended.throwIfAborted();
      } catch (error) {
        // A question that the node's end cut off fails of that end, not of its socket.
        ended.throwIfAborted();
        throw error;
      } finally {
        next.leave();
      }
    }
  };
}

/** `came` resolves with the next block, or when `ended` is; `leave` resolves it early. */
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
