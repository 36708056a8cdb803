/** The newest blocks and transactions (Ethereum and Cosmos), for the lists of several views. */
import { type Block, askAll, type EthereumTx, hexOf, Refused, valueOf } from './ethereum.js';
import { type AbciEvent, attributeOf, comet, rest } from './faces.js';
import { lastName } from './format.js';

/** Cached blocks of a branch by height. */
export type KnownBlocks = Map<bigint, Block<EthereumTx>>;

/** Maximum number of cached blocks. */
const MOST_KNOWN = 400;

/** At most `count` blocks downwards from a height, with full Ethereum transactions; cached ones are not requested. */
export async function blocksFrom(
  top: bigint,
  count: number,
  known: KnownBlocks = new Map(),
): Promise<readonly Block<EthereumTx>[]> {
  const heights = Array.from({ length: count }, (_, index) => top - BigInt(index)).filter((height) => height >= 0n);
  if (known.size > MOST_KNOWN) known.clear();
  const missing = heights.filter((height) => !known.has(height));
  const blocks = await askAll(
    missing.map((height) => ({ method: 'eth_getBlockByNumber', params: [hexOf(height), true] })),
  );
  for (const [index, height] of missing.entries()) {
    const block = valueOf<Block<EthereumTx>>(blocks[index]);
    if (block !== null) known.set(height, block);
  }
  return heights.map((height) => known.get(height)).filter((block) => block !== undefined);
}

/** A row of a transaction list. */
export interface TxRow {
  /** Ethereum hash of an Ethereum transaction, else the consensus hash, with 0x. */
  readonly hash: string;
  readonly world: 'ethereum' | 'cosmos';
  readonly height: string;
  readonly ok: boolean;
  /** Message names, or the kind of call. */
  readonly what: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** In base units of `denom`. */
  readonly value: { readonly denom: string; readonly amount: string } | undefined;
  readonly gasUsed: string;
}

interface Found {
  readonly txs: readonly {
    readonly hash: string;
    readonly height: string;
    readonly tx_result: {
      readonly code: number;
      readonly gas_used: string;
      readonly events: readonly AbciEvent[] | null;
    };
  }[];
  readonly total_count: string;
}

export interface TxPage {
  readonly rows: readonly TxRow[];
  readonly total: number;
}

/**
 * Searches transactions by an event query, newest or oldest first, with the consensus RPC, or with REST if it is
 * closed. Pages begin at 1.
 */
export async function searchTxs(
  query: string,
  page: number,
  count: number,
  denom: string,
  order: 'asc' | 'desc' = 'desc',
): Promise<TxPage> {
  const { txs, total_count: total } = await comet<Found>('tx_search', {
    query,
    order_by: order,
    page: BigInt(page),
    per_page: BigInt(count),
  }).catch((error: unknown) => {
    // a node behind CometBFT does not serve the consensus RPC
    if (error instanceof Refused && error.code === 404) return searchByRest(query, page, count, order);
    throw error;
  });
  const rows = txs.map(({ hash, height, tx_result: { code, gas_used: gasUsed, events } }) =>
    rowOf({ hash, height, code, gasUsed, events: events ?? [] }, denom),
  );
  return { rows, total: Number(total) };
}

async function searchByRest(query: string, page: number, count: number, order: string): Promise<Found> {
  const { tx_responses: list, total } = await rest<{
    readonly tx_responses: readonly (Found['txs'][number]['tx_result'] & {
      readonly txhash: string;
      readonly height: string;
    })[];
    readonly total: string;
  }>(
    `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(query)}&order_by=ORDER_BY_${order.toUpperCase()}&page=${page}&limit=${count}`,
  );
  return { txs: list.map((one) => ({ hash: one.txhash, height: one.height, tx_result: one })), total_count: total };
}

/** Builds a row from a transaction's events. `denom`: the denom of Ethereum values. */
export function rowOf(
  {
    hash,
    height,
    code,
    gasUsed,
    events,
  }: {
    readonly hash: string;
    readonly height: string;
    readonly code: number;
    readonly gasUsed: string;
    readonly events: readonly AbciEvent[];
  },
  denom: string,
): TxRow {
  const ethereum = attributeOf(events, 'ethereum_tx', 'ethereumTxHash');
  const actions = events
    .filter(({ type }) => type === 'message')
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'action'))
    .map(({ value }) => lastName(value ?? ''));
  const common = { height, gasUsed };
  if (ethereum !== undefined) {
    const amount = attributeOf(events, 'ethereum_tx', 'amount');
    const contract = attributeOf(events, 'ethereum_tx', 'recipient');
    return {
      ...common,
      hash: ethereum,
      world: 'ethereum',
      ok: code === 0 && attributeOf(events, 'ethereum_tx', 'ethereumTxFailed') === undefined,
      what: contract === undefined ? 'deployment' : amount === '0' ? 'call' : 'transfer',
      from: attributeOf(events.filter(isEvmMessage), 'message', 'sender'),
      to: contract,
      value: amount === undefined || amount === '0' ? undefined : { denom, amount },
    };
  }
  const sent = events.filter(({ type, attributes }) => type === 'transfer' && attributes.some(isOfMessage));
  const [, amount, coin] = /^([0-9]+)([a-zA-Z].*)$/.exec(attributeOf(sent, 'transfer', 'amount') ?? '') ?? [];
  return {
    ...common,
    hash: `0x${hash.toLowerCase()}`,
    world: 'cosmos',
    ok: code === 0,
    what: [...new Set(actions)].join(', ') || 'transaction',
    from: attributeOf(events, 'message', 'sender'),
    to: attributeOf(sent, 'transfer', 'recipient'),
    value: amount === undefined || coin === undefined ? undefined : { denom: coin, amount },
  };
}

function isEvmMessage({ type, attributes }: AbciEvent): boolean {
  return type === 'message' && attributes.some(({ key, value }) => key === 'module' && value === 'evm');
}

function isOfMessage({ key }: { readonly key: string }): boolean {
  return key === 'msg_index';
}
