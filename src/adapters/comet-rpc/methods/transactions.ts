/**
 * Routes that find transactions and blocks: tx, tx_search, block_search (CometBFT v0.38 `rpc/core/tx.go`,
 * `rpc/core/blocks.go`).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { execTxResultToJson } from '../../../core/comet/json/results-json.js';
import { merkleProofs } from '../../../core/comet/merkle.js';
import { toBase64 } from '../../../core/bytes/base64.js';
import { upperHex } from '../../../core/bytes/hex.js';
import type { StoredTx } from '../../../core/node-api.js';
import { failed, pageOf, result } from '../answers.js';
import { type RpcError, internalError } from '../errors.js';
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

/** Sorts by `order_by`; undefined for a value other than CometBFT's three. */
function ordered<Item>(
  items: readonly Item[],
  orderBy: string,
  byDefault: 'asc' | 'desc',
): readonly Item[] | undefined {
  const order = orderBy === '' ? byDefault : orderBy;
  if (order === 'asc') return items;
  return order === 'desc' ? items.toReversed() : undefined;
}

const BAD_ORDER: RpcError = internalError('expected order_by to be either `asc` or `desc` or empty');

function queryTooLong(query: string, { limits }: MethodContext): Answer | undefined {
  return new TextEncoder().encode(query).length > limits.cometQueryBytes
    ? failed(internalError('maximum query length exceeded'))
    : undefined;
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
    async ({ query, prove, page, per_page, order_by }, context) => {
      const tooLong = queryTooLong(query, context);
      if (tooLong !== undefined) return tooLong;
      const { chain } = context.api.queries;
      const found = await chain.searchTxs(query);
      if (!found.ok) return failed(found.error);
      const items = ordered(found.value, order_by, 'asc');
      if (items === undefined) return failed(BAD_ORDER);
      const slice = pageOf(items, page, per_page, context.limits);
      if (!slice.ok) return failed(slice.error);
      const txs = slice.items.flatMap(({ height, index }) => chain.txAt(height, index) ?? []);
      return result({ txs: txs.map((tx) => txJson(context, tx, prove)), total_count: String(items.length) });
    },
  ),
  method(
    'block_search',
    { query: string, page: int, per_page: int, order_by: string },
    'never',
    async ({ query, page, per_page, order_by }, context) => {
      const tooLong = queryTooLong(query, context);
      if (tooLong !== undefined) return tooLong;
      const { chain } = context.api.queries;
      const found = await chain.searchBlocks(query);
      if (!found.ok) return failed(found.error);
      const items = ordered(found.value, order_by, 'desc');
      if (items === undefined) return failed(BAD_ORDER);
      const slice = pageOf(items, page, per_page, context.limits);
      if (!slice.ok) return failed(slice.error);
      // a pruned block is left out of the page but counted in the total
      const blocks = slice.items.flatMap((height) => chain.block(height) ?? []);
      return result({ blocks: blocks.map(blockAnswer), total_count: String(items.length) });
    },
  ),
];
