/** ERC-20 tokens of an account, found by their transfers, with names, balances and transfers. */
import { decodeParameters } from '../../../../core/abi/decode.js';
import { bytesOf } from './crypto.js';
import { ask, askAll, hexOf, type Log, logBounds, valueOf } from './ethereum.js';

export interface TokenBalance {
  readonly token: string;
  /** Symbol chosen by the contract; untrusted text. */
  readonly symbol: string;
  readonly decimals: number;
  readonly balance: bigint;
}

/** Topic of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const MOST_TOKENS = 20;
/** Maximum number of transfers shown. */
export const MOST_TRANSFERS = 50;
const SYMBOL_CHARACTERS = 20;

/** A token transfer of an account; `by` is negative if it was sent. */
export interface TokenTransfer extends Pick<TokenBalance, 'token' | 'symbol' | 'decimals'> {
  readonly log: Log;
  readonly other: string;
  readonly by: bigint;
}

/** Token balances at a height, for tokens with recent transfers in blocks from `earliest` on. */
export async function tokensOf(address: string, height: bigint, earliest = 1n): Promise<readonly TokenBalance[]> {
  const logs = await transferLogs(address, height, earliest);
  const tokens = [...new Set(logs.map((log) => log.address))].slice(0, MOST_TOKENS);
  const [facts, balances] = await Promise.all([
    factsOf(tokens, height),
    calls(tokens, [`0x70a08231${topicOf(address).slice(2)}`], height),
  ]);
  return tokens.flatMap((token, index): readonly TokenBalance[] => {
    const balance = balances[index];
    const known = facts.get(token);
    if (balance == null || balance === '0x' || known === undefined) return [];
    return [{ token, ...known, balance: BigInt(balance.slice(0, 66)) }];
  });
}

/** The newest token transfers from and to an account, from block `earliest` up to a height. */
export async function tokenTransfers(
  address: string,
  height: bigint,
  earliest: bigint,
): Promise<readonly TokenTransfer[]> {
  const topic = topicOf(address);
  const logs = (await transferLogs(address, height, earliest)).filter(({ data }) => data.length === 66);
  const newest = logs
    .toSorted(
      (a, b) => Number(BigInt(b.blockNumber) - BigInt(a.blockNumber)) || Number(b.logIndex) - Number(a.logIndex),
    )
    .slice(0, MOST_TRANSFERS);
  const facts = await factsOf([...new Set(newest.map((log) => log.address))].slice(0, MOST_TOKENS), height);
  return newest.map((log) => {
    const [, from = '', to = ''] = log.topics;
    const amount = BigInt(log.data);
    const isSent = from === topic;
    const known = facts.get(log.address) ?? { symbol: '', decimals: 0 };
    return {
      log,
      token: log.address,
      ...known,
      other: `0x${(isSent ? to : from).slice(-40)}`,
      by: isSent ? (to === topic ? 0n : -amount) : amount,
    };
  });
}

async function transferLogs(address: string, height: bigint, earliest: bigint): Promise<readonly Log[]> {
  const topic = topicOf(address);
  const range = logBounds(height, earliest);
  const logs = await Promise.all([
    ask<readonly Log[]>('eth_getLogs', { ...range, topics: [TRANSFER, topic] }),
    ask<readonly Log[]>('eth_getLogs', { ...range, topics: [TRANSFER, null, topic] }),
  ]);
  // a transfer to itself is in both lists
  return [...new Map(logs.flat().map((log) => [`${log.blockNumber} ${log.logIndex}`, log])).values()];
}

function topicOf(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Symbols and decimals of tokens, from their contracts. */
async function factsOf(
  tokens: readonly string[],
  height: bigint,
): Promise<ReadonlyMap<string, Pick<TokenBalance, 'symbol' | 'decimals'>>> {
  const results = await calls(tokens, ['0x95d89b41', '0x313ce567'], height);
  return new Map(
    tokens.map((token, index) => {
      const [symbol, decimals] = [results[2 * index], results[2 * index + 1]];
      return [
        token,
        {
          symbol: textOf(symbol ?? '0x').slice(0, SYMBOL_CHARACTERS),
          decimals: decimals == null || decimals === '0x' ? 0 : Math.min(Number(BigInt(decimals)), 77),
        },
      ];
    }),
  );
}

/** Results of contract calls; null for a failed one. */
async function calls(
  contracts: readonly string[],
  datas: readonly string[],
  height: bigint,
): Promise<readonly (string | null)[]> {
  const block = hexOf(height);
  const results = await askAll(
    contracts.flatMap((to) => datas.map((data) => ({ method: 'eth_call', params: [{ to, data }, block] }))),
  );
  return results.map((result) => valueOf<string>(result));
}

function textOf(data: string): string {
  const bytes = bytesOf(data);
  const [first] = (bytes && decodeParameters([{ name: '', type: { kind: 'string' }, indexed: false }], bytes)) ?? [];
  return first?.value.kind === 'string' ? first.value.value : '';
}
