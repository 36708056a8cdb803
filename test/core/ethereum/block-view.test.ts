import { describe, expect, it } from 'vitest';
import { blockJson, headerJson } from '../../../src/core/ethereum/json/block-json.js';
import { receiptJson } from '../../../src/core/ethereum/json/receipt-json.js';
import { transactionJson } from '../../../src/core/ethereum/json/transaction-json.js';
import type { EthereumBlock, EthereumBlockTransaction } from '../../../src/core/ethereum/block-view.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { hasGolden } from '../../support/golden.js';
import { callOf, recordedExchanges, recordedViews, resultOf } from '../../adapters/eth-rpc/recorded-blocks.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Intended differences: the recorded node returns the size of a made-up Ethereum block, neither totalDifficulty nor a
 * transaction's blockTimestamp, and counts the gas of the other transactions in gasUsed.
 */
const OURS = new Set(['size', 'totalDifficulty', 'blockTimestamp']);
const MIXED_BLOCKS = new Set(['0xb', '0x85']);

function comparable(value: unknown, ignored: ReadonlySet<string>): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (ignored.has(key) ? undefined : inner)));
}

describe.skipIf(!hasGolden)('the Ethereum view of recorded blocks', () => {
  const views = hasGolden ? recordedViews(1n, 430n) : new Map<bigint, EthereumBlock>();
  const answers = (
    methods: readonly string[],
  ): readonly { name: string; params: readonly unknown[]; result: Fields }[] =>
    recordedExchanges().flatMap((exchange) => {
      const call = callOf(exchange);
      const result = resultOf(exchange);
      const wanted =
        call !== undefined &&
        methods.includes(call.method) &&
        result !== null &&
        typeof result === 'object' &&
        !exchange.name.includes('pending');
      return wanted ? [{ name: exchange.name, params: call.params, result: result as Fields }] : [];
    });
  const viewAt = (number: unknown): EthereumBlock | undefined => views.get(BigInt(String(number)));
  const find = (hash: unknown): { block: EthereumBlock; transaction: EthereumBlockTransaction } => {
    for (const block of views.values())
      for (const transaction of block.transactions)
        if (hexData(transaction.hash) === hash) return { block, transaction };
    throw new Error(`no recorded transaction ${String(hash)}`);
  };

  it('gives the recorded blocks and headers, with roots, blooms, base fees and transactions', () => {
    let compared = 0;
    for (const { name, params, result } of answers([
      'eth_getBlockByNumber',
      'eth_getBlockByHash',
      'eth_getHeaderByNumber',
      'eth_getHeaderByHash',
    ])) {
      const view = viewAt(result['number']);
      if (view === undefined) continue;
      const ignored = MIXED_BLOCKS.has(String(result['number'])) ? new Set([...OURS, 'gasUsed']) : OURS;
      const ours: unknown = JSON.parse('uncles' in result ? blockJson(view, params[1] === true) : headerJson(view));
      expect(comparable(ours, ignored), name).toEqual(comparable(result, ignored));
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(14);
  });

  it('gives the recorded receipts, field for field', () => {
    const receipts = answers(['eth_getTransactionReceipt']);
    expect(receipts.length).toBeGreaterThanOrEqual(12);
    for (const { name, result } of receipts) {
      const { block, transaction } = find(result['transactionHash']);
      // The recorded node does not accumulate gas within a block.
      const ignored = transaction.index > 0 ? new Set(['cumulativeGasUsed']) : new Set<string>();
      expect(comparable(JSON.parse(receiptJson(transaction, block)), ignored), name).toEqual(
        comparable(result, ignored),
      );
    }
  });

  it('gives the recorded transactions of types 0, 1, 2 and 4', () => {
    const transactions = answers(['eth_getTransactionByHash']);
    expect(new Set(transactions.map(({ result }) => result['type']))).toEqual(new Set(['0x0', '0x1', '0x2', '0x4']));
    for (const { name, result } of transactions) {
      const { block, transaction } = find(result['hash']);
      expect(comparable(JSON.parse(transactionJson(transaction, block)), OURS), name).toEqual(result);
    }
  });

  it('accumulates gas and counts log indices within the block', () => {
    const burst = viewAt(133)?.transactions ?? [];
    expect(burst.map(({ receipt }) => receipt.cumulativeGasUsed)).toEqual(
      [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map((n) => n * 21_000n),
    );
    for (const { transactions } of views.values()) {
      const indices = transactions.flatMap(({ receipt }) => receipt.logs.map(({ logIndex }) => logIndex));
      expect(indices).toEqual(indices.map((_, index) => index));
    }
  });
});
