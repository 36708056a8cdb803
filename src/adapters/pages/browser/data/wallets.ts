/** Finds wallets of this browser, and adds the chain to them. */
import { signal } from '@preact/signals';
import { hexOf } from './ethereum.js';
import { faceAddress, type NodeFacts } from './node-facts.js';

/** An EIP-1193 provider. */
export interface EthereumProvider {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>;
}

interface Keplr {
  experimentalSuggestChain(chain: unknown): Promise<void>;
}

/** A wallet that announced itself (EIP-6963), or `window.ethereum`. */
export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** A `data:` image; undefined for any other URL, which the page must not load. */
  readonly icon: string | undefined;
  readonly provider: EthereumProvider;
}

declare global {
  interface Window {
    readonly ethereum?: EthereumProvider;
    /** Keplr's extension. */
    readonly keplr?: Keplr;
  }
}

/** Maximum number of listed wallets. */
const MOST_WALLETS = 20;
const NAME_CHARACTERS = 40;

/** Wallets in the order of their announcements; `window.ethereum` without an announcement is last. */
export const wallets = signal<readonly Wallet[]>([]);

/** Requests wallet announcements (EIP-6963), and listens for later ones. */
export function listenForWallets(): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const detail: unknown = (event as CustomEvent<unknown>).detail;
    const announced = walletOf(detail);
    if (announced === undefined || wallets.value.length >= MOST_WALLETS) return;
    if (wallets.value.some(({ id }) => id === announced.id)) return;
    wallets.value = [...wallets.value.filter(({ id }) => id !== 'window.ethereum'), announced];
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  if (window.ethereum !== undefined && wallets.value.length === 0)
    wallets.value = [{ id: 'window.ethereum', name: 'Browser wallet', icon: undefined, provider: window.ethereum }];
}

function walletOf(detail: unknown): Wallet | undefined {
  const { info, provider } = (detail ?? {}) as {
    readonly info?: { readonly uuid?: unknown; readonly name?: unknown; readonly icon?: unknown };
    readonly provider?: EthereumProvider;
  };
  if (typeof info?.uuid !== 'string' || typeof info.name !== 'string' || provider === undefined) return undefined;
  const icon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') ? info.icon : undefined;
  return { id: info.uuid, name: info.name.slice(0, NAME_CHARACTERS), icon, provider };
}

/**
 * Asks a wallet to add the chain (EIP-3085), with this application as its explorer; resolves with a message for the
 * user.
 */
export async function addToWallet(facts: NodeFacts, { name, provider }: Wallet): Promise<string> {
  await provider.request({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: hexOf(BigInt(facts.evm_chain_id)),
        chainName: facts.chain_id,
        nativeCurrency: { name: facts.denom.display, symbol: facts.denom.symbol, decimals: facts.denom.decimals },
        rpcUrls: [faceAddress(facts, 'eth_http', 'http')],
        blockExplorerUrls: [location.origin],
      },
    ],
  });
  return `${name} knows the chain.`;
}

/** Asks Keplr to add the chain (`experimentalSuggestChain`); resolves with a message for the user. */
export async function addToKeplr(facts: NodeFacts): Promise<string> {
  if (window.keplr === undefined) return 'This browser has no Keplr.';
  await window.keplr.experimentalSuggestChain(keplrChain(facts));
  return 'Keplr knows the chain.';
}

function keplrChain(facts: NodeFacts) {
  const { bech32_prefix: prefix, denom } = facts;
  const currency = { coinDenom: denom.symbol, coinMinimalDenom: denom.base, coinDecimals: denom.decimals };
  const price = Number(facts.gas_price);
  return {
    chainId: facts.chain_id,
    chainName: facts.chain_id,
    rpc: faceAddress(facts, 'comet', 'http'),
    rest: faceAddress(facts, 'rest', 'http'),
    bip44: { coinType: 60 },
    bech32Config: {
      bech32PrefixAccAddr: prefix,
      bech32PrefixAccPub: `${prefix}pub`,
      bech32PrefixValAddr: `${prefix}valoper`,
      bech32PrefixValPub: `${prefix}valoperpub`,
      bech32PrefixConsAddr: `${prefix}valcons`,
      bech32PrefixConsPub: `${prefix}valconspub`,
    },
    currencies: [currency],
    feeCurrencies: [{ ...currency, gasPriceStep: { low: price, average: price * 2, high: price * 4 } }],
    stakeCurrency: currency,
    features: ['eth-address-gen', 'eth-key-sign'],
  };
}
