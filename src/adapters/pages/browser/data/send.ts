/** Sends a transaction from an account of the node, or with a browser wallet. */
import { ask, hexOf } from './ethereum.js';
import { lookNow } from './store.js';
import type { EthereumProvider } from './wallets.js';

export type Sender =
  | { readonly kind: 'node'; readonly address: string }
  | { readonly kind: 'wallet'; readonly provider: EthereumProvider; readonly chainId: bigint };

/** Sends a transaction; resolves with its hash. Throws the error of the node or the wallet. */
export async function send(
  sender: Sender,
  call: { readonly to: string; readonly data: string; readonly value: bigint },
): Promise<string> {
  const transaction = { to: call.to, data: call.data, value: hexOf(call.value) };
  if (sender.kind === 'node') {
    const hash = await ask<string>('eth_sendTransaction', { from: sender.address, ...transaction });
    lookNow();
    return hash;
  }
  const { provider, chainId } = sender;
  const at = await provider.request({ method: 'eth_chainId', params: [] });
  if (BigInt(String(at)) !== chainId) throw new Error('the wallet is on another chain: add this one on Home first');
  const accounts = await provider.request({ method: 'eth_requestAccounts', params: [] });
  const from: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  return String(await provider.request({ method: 'eth_sendTransaction', params: [{ from, ...transaction }] }));
}
