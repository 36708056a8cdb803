/** Makes the chain known to the wallets of this browser. */
import { hexOf } from './ethereum.js';
import { addressOf, type NodeFacts } from './node-facts.js';

interface EthereumProvider {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>;
}

interface Keplr {
  experimentalSuggestChain(chain: unknown): Promise<void>;
}

declare global {
  interface Window {
    /** EIP-1193. */
    readonly ethereum?: EthereumProvider;
    /** Keplr's extension. */
    readonly keplr?: Keplr;
  }
}

/** Asks MetaMask, or another wallet with its interface, to add the chain (EIP-3085); resolves with what to tell. */
export async function addToMetaMask(facts: NodeFacts): Promise<string> {
  if (window.ethereum === undefined) return 'This browser has no Ethereum wallet.';
  await window.ethereum.request({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: hexOf(BigInt(facts.evm_chain_id)),
        chainName: facts.chain_id,
        nativeCurrency: { name: facts.denom.display, symbol: facts.denom.symbol, decimals: facts.denom.decimals },
        rpcUrls: [addressOf(facts, 'eth_http', 'http')],
      },
    ],
  });
  return 'The wallet knows the chain.';
}

/** Asks Keplr to add the chain (`experimentalSuggestChain` of its documentation); resolves with what to tell. */
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
    rpc: addressOf(facts, 'comet', 'http'),
    rest: addressOf(facts, 'rest', 'http'),
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
