/** The facts of a running chain, and their form in the Ethereum and consensus RPC. */
import { isObject } from '../../core/text/json-object.js';
import type { Json } from '../json.js';
import type { EthereumInterest } from '../protocol-ethereum.js';
import type { Interest } from '../model.js';

/** A log, as the model compares it. */
export interface ChainLog {
  readonly index: number;
  /** Lower case. */
  readonly address: string;
  readonly topics: readonly string[];
}

/** A transaction of a block of the consensus. */
export interface ChainTransaction {
  /** SHA-256 of its bytes, upper-case hexadecimal. */
  readonly hash: string;
  /** Values of its events' attributes, under `type.key`. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

export type ChainFact =
  | { readonly kind: 'pending'; readonly hash: string }
  | {
      readonly kind: 'block';
      readonly height: number;
      /** Hash on the Ethereum face, lower-case hexadecimal without prefix; empty when the face is not read. */
      readonly ethereumHash: string;
      /** Hash on the consensus face, in the same form. */
      readonly hash: string;
      /** Empty when the Ethereum face is not read. */
      readonly logs: readonly ChainLog[];
      /** Empty when the consensus face is not read. */
      readonly transactions: readonly ChainTransaction[];
    }
  /** A revert: the logs of the reverted blocks, newest first. */
  | { readonly kind: 'reverted'; readonly logs: readonly RemovedLog[] };

/** A log of a reverted block. */
export interface RemovedLog extends ChainLog {
  readonly blockHash: string;
  /** Index of the block's entry in the history. */
  readonly of: number;
}

/** Two contracts that emit logs. */
export type Emitters = readonly [string, string];

/** Topic `number` of the logs that runs emit, as a 32-byte word. */
export function topicOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

/** A hash without prefix, in lower case. */
export function plainHash(hash: unknown): string {
  return String(hash).replace(/^0x/u, '').toLowerCase();
}

const interest = (
  name: string,
  params: EthereumInterest<ChainFact>['params'],
  keys: (fact: ChainFact) => readonly string[],
): EthereumInterest<ChainFact> => ({ name, params, items: (fact) => keys(fact).map((key, place) => ({ key, place })) });
const logs = (name: string, filter: Json, accepts: (log: ChainLog) => boolean): EthereumInterest<ChainFact> => ({
  name,
  params: ['logs', filter],
  items(fact) {
    switch (fact.kind) {
      case 'pending':
        return [];
      case 'block':
        return fact.logs.filter(accepts).map(({ index }, place) => ({ key: logKey(fact.ethereumHash, index), place }));
      case 'reverted':
        return fact.logs
          .filter(accepts)
          .map(({ blockHash, index, of }, place) => ({ key: `removed ${logKey(blockHash, index)}`, place, of }));
    }
  },
});

/** The interests of subscribers of the Ethereum face in runs; filters have the same names. */
export function ethereumInterests([first, second]: Emitters): readonly EthereumInterest<ChainFact>[] {
  return [
    interest('newHeads', ['newHeads'], (fact) => (fact.kind === 'block' ? [`head ${fact.ethereumHash}`] : [])),
    interest('newPendingTransactions', ['newPendingTransactions'], (fact) =>
      fact.kind === 'pending' ? [`pending ${fact.hash}`] : [],
    ),
    logs('logs', {}, () => true),
    logs('logs of the first contract', { address: first }, ({ address }) => address === first),
    logs(
      'logs of either contract',
      { address: [first, second] },
      ({ address }) => address === first || address === second,
    ),
    logs('logs with topic 1', { topics: [topicOf(1)] }, ({ topics }) => topics[0] === topicOf(1)),
    logs(
      'logs of the second contract with topic 2 or 3',
      { address: second, topics: [[topicOf(2), topicOf(3)]] },
      ({ address, topics: [topic] }) => address === second && (topic === topicOf(2) || topic === topicOf(3)),
    ),
  ];
}

/** The interests of subscribers of the consensus face in runs; their names are the queries. */
export function consensusInterests(emitters: Emitters | undefined): readonly Interest<ChainFact>[] {
  const transactions = (query: string, accepts: (transaction: ChainTransaction) => boolean): Interest<ChainFact> => ({
    name: query,
    items: (fact) =>
      fact.kind === 'block'
        ? fact.transactions.flatMap((transaction, place) =>
            accepts(transaction) ? [{ key: `tx ${transaction.hash}`, place }] : [],
          )
        : [],
  });
  const blocks: Interest<ChainFact> = {
    name: "tm.event='NewBlock'",
    items: (fact) => (fact.kind === 'block' ? [{ key: `block ${fact.hash}`, place: 0 }] : []),
  };
  const isTo =
    (recipient: string) =>
    ({ attributes }: ChainTransaction): boolean =>
      attributes.get('ethereum_tx.recipient')?.some((value) => value.toLowerCase() === recipient) === true;
  return [
    blocks,
    transactions("tm.event='Tx'", () => true),
    ...(emitters ?? []).map((address) =>
      transactions(`tm.event='Tx' AND ethereum_tx.recipient='${address}'`, isTo(address)),
    ),
  ];
}

/** Key of the item in an `eth_subscription` message or in an answer of a filter. */
export function ethereumKey(result: unknown): string | undefined {
  if (typeof result === 'string') return /^0x[0-9a-f]{64}$/u.test(result) ? `pending ${plainHash(result)}` : undefined;
  if (!isObject(result)) return undefined;
  const { logIndex, blockHash, hash, parentHash, removed } = result;
  if (typeof logIndex === 'string') {
    const key = logKey(plainHash(blockHash), Number(logIndex));
    return removed === true ? `removed ${key}` : key;
  }
  return typeof hash === 'string' && typeof parentHash === 'string' ? `head ${plainHash(hash)}` : undefined;
}

/** Key of the item in a notification of the consensus websocket. */
export function consensusKey({ data, events }: Json): string | undefined {
  const value = isObject(data) ? data['value'] : undefined;
  if (!isObject(value) || !isObject(events)) return undefined;
  const { block_id: id } = value;
  if (isObject(id)) return `block ${plainHash(id['hash'])}`;
  const [hash] = Array.isArray(events['tx.hash']) ? events['tx.hash'] : [];
  return typeof hash === 'string' ? `tx ${hash}` : undefined;
}

function logKey(blockHash: string, index: number): string {
  return `log ${blockHash}.${index}`;
}
