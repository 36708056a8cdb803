/** Blocks, headers, their counts and receipts; there are no uncles. An unknown block is answered by null. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { hexQuantity } from '../../../core/bytes/hex.js';
import { blockJson, headerJson } from '../../../core/ethereum/json/block-json.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { type BlockRef, blockNumber, blockRef } from '../params/block-ref.js';
import { hash, index } from '../params/hex.js';
import { bool } from '../params/param.js';
import { resolveBlock } from '../resolve.js';

const NULL = ok('null');

/**
 * `pending` shows the head with the base fee of the block after it, from which clients make their prices (EIP-1559).
 */
function show({ api }: MethodContext, ref: BlockRef, json: (block: EthereumBlock) => string): Answer {
  const block = resolveBlock(api, ref);
  if (!block.ok) return failed(block.error);
  if (block.value === undefined) return NULL;
  const isPending = ref.kind === 'tag' && ref.tag === 'pending' && block.value.baseFeePerGas !== undefined;
  return ok(json(isPending ? { ...block.value, baseFeePerGas: api.nextBaseFee() } : block.value));
}

const byHash = (value: Uint8Array): BlockRef => ({ kind: 'hash', hash: value });
const countOf = (block: EthereumBlock): string => `"${hexQuantity(block.transactions.length)}"`;
const noUncles = (): string => '"0x0"';
const noUncle = (): string => 'null';
/** EIP-7928 is not part of any fork here. */
const noAccessList = (): string => 'null';
const receiptsOf = (block: EthereumBlock): string =>
  `[${block.transactions.map((transaction) => receiptJson(transaction, block)).join(',')}]`;

export const blockMethods: readonly Method[] = [
  method('eth_blockNumber', [], (_values, { api }) => quoted(hexQuantity(api.blockNumber()))),
  method('eth_getBlockByNumber', [blockNumber, bool], ([ref, full], context) =>
    show(context, ref, (block) => blockJson(block, full)),
  ),
  method('eth_getBlockByHash', [hash, bool], ([value, full], context) =>
    show(context, byHash(value), (block) => blockJson(block, full)),
  ),
  method('eth_getHeaderByNumber', [blockNumber], ([ref], context) => show(context, ref, headerJson)),
  method('eth_getHeaderByHash', [hash], ([value], context) => show(context, byHash(value), headerJson)),
  method('eth_getBlockReceipts', [blockRef], ([ref], context) => show(context, ref, receiptsOf)),
  method('eth_getBlockTransactionCountByNumber', [blockNumber], ([ref], context) => show(context, ref, countOf)),
  method('eth_getBlockTransactionCountByHash', [hash], ([value], context) => show(context, byHash(value), countOf)),
  method('eth_getUncleCountByBlockNumber', [blockNumber], ([ref], context) => show(context, ref, noUncles)),
  method('eth_getUncleCountByBlockHash', [hash], ([value], context) => show(context, byHash(value), noUncles)),
  method('eth_getUncleByBlockNumberAndIndex', [blockNumber, index], ([ref], context) => show(context, ref, noUncle)),
  method('eth_getUncleByBlockHashAndIndex', [hash, index], ([value], context) => show(context, byHash(value), noUncle)),
  ...['eth_getBlockAccessList', 'eth_getBlockAccessListRaw'].map((name) =>
    method(name, [blockRef], ([ref], context) => show(context, ref, noAccessList)),
  ),
  method('eth_getBlockAccessListByBlockNumber', [blockNumber], ([ref], context) => show(context, ref, noAccessList)),
  method('eth_getBlockAccessListByBlockHash', [hash], ([value], context) => show(context, byHash(value), noAccessList)),
];
