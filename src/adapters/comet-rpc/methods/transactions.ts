/**
 * Routes that find transactions and blocks: tx, tx_search, block_search (CometBFT v0.38 `rpc/core/tx.go`,
 * `rpc/core/blocks.go`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { execTxResultToJson } from '../../../core/comet/json/results-json.js';
import { merkleProofs } from '../../../core/comet/merkle.js';
import { toBase64 } from '../../../core/bytes/base64.js';
import { upperHex } from '../../../core/bytes/hex.js';
import type { Outcome, SearchResult, SearchSlice, StoredTx } from '../../../core/node-api.js';
import { pageProblem, sliceOf } from '../../services/page.js';
import { failed, perPageOf, result } from '../answers.js';
import { internalError } from '../errors.js';
import { type Answer, type Method, type MethodContext, method } from '../method.js';
import { bool, bytesHash, int, string } from '../params.js';
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

function txJson(context: MethodContext, tx: StoredTx, prove: boolean): unknown {
  return {
    hash: upperHex(tx.hash),
    height: String(tx.height),
    index: tx.index,
    tx_result: execTxResultToJson(tx.result),
    tx: toBase64(tx.tx),
    ...(prove && { proof: proofJson(context, tx) }),
  };
}

interface SearchRequest {
  readonly query: string;
  readonly page: bigint | undefined;
  readonly per_page: bigint | undefined;
  readonly order_by: string;
}

/** Searches a page in the order of `order_by`, which has one of three values, and answers it. */
async function searched<Item>(
  { query, page = 1n, per_page: perPage, order_by: orderBy }: SearchRequest,
  byDefault: 'asc' | 'desc',
  { limits }: MethodContext,
  search: (query: string, slice: SearchSlice) => Promise<Outcome<SearchResult<Item>>>,
  show: (items: readonly Item[], total: string) => unknown,
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
  return problem === undefined ? result(show(items, String(total))) : failed(internalError(problem));
}

export const transactionMethods: readonly Method[] = [
  method('tx', { hash: bytesHash, prove: bool }, 'always', ({ hash, prove }, context) => {
    if (hash.length === 0) return failed(internalError('transaction hash cannot be empty'));
    const tx = context.api.queries.chain.tx(hash);
    return tx === undefined
      ? failed({ code: 'tx-not-found', hash: upperHex(hash) })
      : result(txJson(context, tx, prove));
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
        (places, total) => {
          const txs = places.flatMap(({ height, index }) => chain.txAt(height, index) ?? []);
          return { txs: txs.map((tx) => txJson(context, tx, request.prove)), total_count: total };
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
      (heights, total) => {
        // a pruned block is left out of the page but counted in the total
        const blocks = heights.flatMap((height) => chain.block(height) ?? []);
        return { blocks: blocks.map(blockAnswer), total_count: total };
      },
    );
  }),
];
