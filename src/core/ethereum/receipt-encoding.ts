import { concat } from '../bytes/bytes.js';
import type { EthereumLog, EthereumReceipt } from './block-view.js';
import { encodeRlp, rlpNumber } from './rlp.js';

/** Encodes a receipt for the receipts trie: type, status, gas, bloom and logs (EIP-658, EIP-2718). */
export function encodeReceipt(
  type: number,
  receipt: Pick<EthereumReceipt, 'status' | 'cumulativeGasUsed' | 'logsBloom'> & {
    readonly logs: readonly Omit<EthereumLog, 'logIndex'>[];
  },
): Uint8Array {
  const body = encodeRlp([
    rlpNumber(receipt.status === 'success' ? 1n : 0n),
    rlpNumber(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, topics, data]),
  ]);
  return type === 0 ? body : concat(Uint8Array.of(type), body);
}
