/**
 * Routes that find transactions and blocks: tx, tx_search, block_search (CometBFT v0.38 `rpc/core/tx.go`,
 * `rpc/core/blocks.go`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { merkleProofs } from '../../../core/comet/merkle.js';
import { toBase64 } from '../../../core/bytes/base64.js';
import { upperHex } from '../../../core/bytes/hex.js';
import type { Outcome, SearchResult, SearchSlice, StoredTx } from '../../../core/node-api.js';
import { pageProblem, sliceOf } from '../../services/page.js';
import { goJson } from '../../raw-json.js';
import { failed, perPageOf } from '../answers.js';
import { internalError } from '../errors.js';
import { type Answer, type Method, type MethodContext, method } from '../method.js';
import { bool, bytesHash, int, string } from '../params.js';
import { txResultText } from '../results-text.js';
import { blockAnswer } from './blocks.js';

/** Inclusion proof against `data_hash`; the leaves are the hashes of the block's transactions. */
function proofJson({ api }: MethodContext, tx: StoredTx): unknown {
  const txs = api.queries.chain.block(tx.height)?.block.data?.txs ?? [];
  const { root, proofs } = merkleProofs(
    { sha256 },
    txs.map((bytes) => sha256(bytes)),
  );
  const proof = proofs[tx.index];
  return {
    root_hash: upperHex(root),
    data: toBase64(tx.tx),
    proof: proof && {
      total: String(proof.total),
      index: String(proof.index),
      leaf_hash: toBase64(proof.leafHash),
      aunts: proof.aunts.map(toBase64),
    },
  };
}

function txText(context: MethodContext, tx: StoredTx, prove: boolean): string {
  const place = goJson({ hash: upperHex(tx.hash), height: String(tx.height), index: tx.index });
  const proof = prove ? `,"proof":${goJson(proofJson(context, tx))}` : '';
  return `${place.slice(0, -1)},"tx_result":${txResultText(tx.result)},"tx":"${toBase64(tx.tx)}"${proof}}`;
}

interface SearchRequest {
  readonly query: string;
  readonly page: bigint | undefined;
  readonly per_page: bigint | undefined;
  readonly order_by: string;
}

/**
 * Searches a page, ordered by `order_by` (`asc`, `desc` or empty), and answers it under the name `member`. The event
 * loop runs between items, because each may be a large block. `show`: JSON text. Pruned items are omitted, but counted.
 */
async function searched<Item>(
  { query, page = 1n, per_page: perPage, order_by: orderBy }: SearchRequest,
  byDefault: 'asc' | 'desc',
  { limits, timers }: MethodContext,
  search: (query: string, slice: SearchSlice) => Promise<Outcome<SearchResult<Item>>>,
  member: 'txs' | 'blocks',
  show: (item: Item) => string | undefined,
): Promise<Answer> {
  if (new TextEncoder().encode(query).length > limits.cometQueryBytes)
    return failed(internalError('maximum query length exceeded'));
  const order = orderBy === '' ? byDefault : orderBy;
  const size = perPageOf(perPage, limits);
  const found = await search(query, sliceOf(page, size, order === 'desc'));
  if (!found.ok) return failed(found.error);
  if (order !== 'asc' && order !== 'desc')
    return failed(internalError('expected order_by to be either `asc` or `desc` or empty'));
  const { total, items } = found.value;
  const problem = pageProblem(total, page, size);
  if (problem !== undefined) return failed(internalError(problem));
  const texts: string[] = [];
  for (const item of items) {
    const shown = show(item);
    if (shown !== undefined) texts.push(shown);
    await timers.yield();
  }
  return { ok: true, json: `{"${member}":[${texts.join(',')}],"total_count":"${total}"}` };
}

export const transactionMethods: readonly Method[] = [
  method('tx', { hash: bytesHash, prove: bool }, 'always', ({ hash, prove }, context) => {
    if (hash.length === 0) return failed(internalError('transaction hash cannot be empty'));
    const tx = context.api.queries.chain.tx(hash);
    return tx === undefined
      ? failed({ code: 'tx-not-found', hash: upperHex(hash) })
      : { ok: true, json: txText(context, tx, prove) };
  }),
  method(
    'tx_search',
    { query: string, prove: bool, page: int, per_page: int, order_by: string },
    'never',
    (request, context) => {
      const { chain } = context.api.queries;
      return searched(
        request,
        'asc',
        context,
        (query, slice) => chain.searchTxs(query, slice),
        'txs',
        ({ height, index }) => {
          const tx = chain.txAt(height, index);
          return tx && txText(context, tx, request.prove);
        },
      );
    },
  ),
  method('block_search', { query: string, page: int, per_page: int, order_by: string }, 'never', (request, context) => {
    const { chain } = context.api.queries;
    return searched(
      request,
      'desc',
      context,
      (query, slice) => chain.searchBlocks(query, slice),
      'blocks',
      (height) => {
        const block = chain.block(height);
        return block && goJson(blockAnswer(block));
      },
    );
  }),
];
