/** Transactions of an account, Ethereum and Cosmos: sent, received, and internal calls. */
import type { Address } from './crypto.js';
import { ask, askAll, type EthereumTx, hexOf, valueOf } from './ethereum.js';
import { searchTxs, type TxRow } from './recent.js';

export interface History {
  readonly rows: readonly TxRow[];
  /** True if older transactions exist. */
  readonly hasMore: boolean;
}

interface Searched {
  readonly txs: readonly EthereumTx[];
  readonly receipts: readonly { readonly status: string; readonly gasUsed: string }[];
  readonly lastPage: boolean;
}

/** The newest transactions, at most `count` of each kind, optionally up to a height. */
export async function historyOf(
  { hex, bech32 }: Address,
  count: number,
  at: bigint | undefined,
  denom: string,
): Promise<History> {
  const bound = at === undefined ? '' : ` AND tx.height <= ${at}`;
  const queries = [
    `message.sender='${bech32}'`,
    `transfer.recipient='${bech32}'`,
    ...(hex === undefined ? [] : [`ethereum_tx.recipient='${hex}'`]),
  ];
  const [pages, inner] = await Promise.all([
    Promise.all(queries.map((query) => searchTxs(query + bound, 1, count, denom))),
    hex === undefined ? undefined : innerCalls(hex, count, at),
  ]);
  const byHash = new Map<string, TxRow>();
  for (const row of pages.flatMap(({ rows }) => rows)) byHash.set(row.hash, row);
  for (const row of inner?.rows ?? []) if (!byHash.has(row.hash)) byHash.set(row.hash, withDenom(row, denom));
  const rows = [...byHash.values()].toSorted((a, b) => Number(BigInt(b.height) - BigInt(a.height)));
  return { rows, hasMore: (inner?.hasMore ?? false) || pages.some(({ total }) => total > count) };
}

function withDenom(row: TxRow, denom: string): TxRow {
  return row.value === undefined ? row : { ...row, value: { ...row.value, denom } };
}

/** Transactions with an internal call of the account; undefined on nodes without the namespace `ots`. */
async function innerCalls(hex: string, count: number, at: bigint | undefined): Promise<History | undefined> {
  const found = await ask<Searched>(
    'ots_searchTransactionsBefore',
    hex,
    at === undefined ? 0 : Number(at) + 1,
    Math.min(count, 25),
  ).catch(() => undefined);
  if (found === undefined) return undefined;
  return {
    hasMore: !found.lastPage,
    rows: found.txs.map((tx, index): TxRow => {
      const receipt = found.receipts[index];
      const value = BigInt(tx.value);
      return {
        hash: tx.hash,
        world: 'ethereum',
        height: BigInt(tx.blockNumber ?? 0).toString(),
        ok: receipt?.status === '0x1',
        what: tx.to === null ? 'deployment' : tx.input === '0x' ? 'transfer' : 'call',
        from: tx.from,
        to: tx.to ?? undefined,
        value: value === 0n ? undefined : { denom: '', amount: value.toString() },
        gasUsed: BigInt(receipt?.gasUsed ?? 0).toString(),
      };
    }),
  };
}

/** The change of an account's balance by each of these blocks; blocks with pruned state are omitted. */
export async function balanceChanges(
  hex: string | undefined,
  heights: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (hex === undefined) return new Map();
  const results = await askAll(
    heights.flatMap((height) =>
      [BigInt(height) - 1n, BigInt(height)].map((at) => ({ method: 'eth_getBalance', params: [hex, hexOf(at)] })),
    ),
  );
  return new Map(
    heights.flatMap((height, index): readonly [string, bigint][] => {
      const [before, after] = [valueOf<string>(results[2 * index]), valueOf<string>(results[2 * index + 1])];
      return before === null || after === null ? [] : [[height, BigInt(after) - BigInt(before)]];
    }),
  );
}
