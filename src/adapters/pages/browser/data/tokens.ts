/** ERC-20 tokens of an account: those whose transfers touched it, with their names and balances. */
import { decodeParameters } from '../../../../core/abi/decode.js';
import { bytesOf } from './crypto.js';
import { ask, askAll, hexOf, type Log, logBounds, valueOf } from './ethereum.js';

export interface TokenBalance {
  readonly token: string;
  /** Text that the contract chose. */
  readonly symbol: string;
  readonly decimals: number;
  readonly balance: bigint;
}

/** First topic of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const MOST_TOKENS = 20;
const SYMBOL_CHARACTERS = 20;

/** Balances at a height of the tokens that moved in the blocks before it. */
export async function tokensOf(address: string, height: bigint): Promise<readonly TokenBalance[]> {
  const block = hexOf(height);
  const topic = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const range = logBounds(height);
  const logs = await Promise.all([
    ask<readonly Log[]>('eth_getLogs', { ...range, topics: [TRANSFER, topic] }),
    ask<readonly Log[]>('eth_getLogs', { ...range, topics: [TRANSFER, null, topic] }),
  ]);
  const tokens = [...new Set(logs.flat().map((log) => log.address))].slice(0, MOST_TOKENS);
  const results = await askAll(
    tokens.flatMap((to) =>
      [`0x70a08231${topic.slice(2)}`, '0x95d89b41', '0x313ce567'].map((data) => ({
        method: 'eth_call',
        params: [{ to, data }, block],
      })),
    ),
  );
  return tokens.flatMap((token, index): readonly TokenBalance[] => {
    const [balance, symbol, decimals] = [0, 1, 2].map((part) => valueOf<string>(results[index * 3 + part]));
    if (balance == null || balance === '0x') return [];
    return [
      {
        token,
        symbol: textOf(symbol ?? '0x').slice(0, SYMBOL_CHARACTERS),
        decimals: decimals == null || decimals === '0x' ? 0 : Math.min(Number(BigInt(decimals)), 77),
        balance: BigInt(balance.slice(0, 66)),
      },
    ];
  });
}

function textOf(data: string): string {
  const bytes = bytesOf(data);
  const [first] = (bytes && decodeParameters([{ name: '', type: { kind: 'string' }, indexed: false }], bytes)) ?? [];
  return first?.value.kind === 'string' ? first.value.value : '';
}
