/** Blocks, headers, their counts and receipts; there are no uncles. An unknown block is answered by null. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { hexQuantity } from '../../../core/bytes/hex.js';
import { blockJson, headerJson } from '../../../core/ethereum/json/block-json.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { sumOfTexts } from '../../../core/ethereum/json/sum-of-texts.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { type BlockRef, blockNumber, blockRef } from '../params/block-ref.js';
import { hash, index } from '../params/hex.js';
import { bool } from '../params/param.js';
import { resolveBlock } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

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
const NO_ACCESS_LIST = 'Access list of a block (EIP-7928): there is none';
const receiptsOf = (block: EthereumBlock): string =>
  `[${sumOfTexts(block.transactions, (transaction) => receiptJson(transaction, block))}]`;

export const blockMethods: readonly Method[] = [
  method('eth_blockNumber', 'Number of the newest block', [], schema.QUANTITY_64, (_values, { api }) =>
    quoted(hexQuantity(api.blockNumber())),
  ),
  method(
    'eth_getBlockByNumber',
    'Block by number or tag',
    [blockNumber, bool],
    schema.orNull(result.BLOCK),
    ([ref, full], context) => show(context, ref, (block) => blockJson(block, full)),
  ),
  method('eth_getBlockByHash', 'Block by hash', [hash, bool], schema.orNull(result.BLOCK), ([value, full], context) =>
    show(context, byHash(value), (block) => blockJson(block, full)),
  ),
  method(
    'eth_getHeaderByNumber',
    'Header by number or tag',
    [blockNumber],
    schema.orNull(result.HEADER),
    ([ref], context) => show(context, ref, headerJson),
  ),
  method('eth_getHeaderByHash', 'Header by hash', [hash], schema.orNull(result.HEADER), ([value], context) =>
    show(context, byHash(value), headerJson),
  ),
  method(
    'eth_getBlockReceipts',
    'Receipts of all transactions of a block',
    [blockRef],
    schema.orNull(schema.listOf(result.RECEIPT)),
    ([ref], context) => show(context, ref, receiptsOf),
  ),
  method(
    'eth_getBlockTransactionCountByNumber',
    'Number of transactions in a block',
    [blockNumber],
    schema.orNull(schema.QUANTITY_64),
    ([ref], context) => show(context, ref, countOf),
  ),
  method(
    'eth_getBlockTransactionCountByHash',
    'Number of transactions in a block',
    [hash],
    schema.orNull(schema.QUANTITY_64),
    ([value], context) => show(context, byHash(value), countOf),
  ),
  method(
    'eth_getUncleCountByBlockNumber',
    'Number of uncles of a block: there are none',
    [blockNumber],
    schema.orNull(schema.QUANTITY_64),
    ([ref], context) => show(context, ref, noUncles),
  ),
  method(
    'eth_getUncleCountByBlockHash',
    'Number of uncles of a block: there are none',
    [hash],
    schema.orNull(schema.QUANTITY_64),
    ([value], context) => show(context, byHash(value), noUncles),
  ),
  method(
    'eth_getUncleByBlockNumberAndIndex',
    'Uncle of a block: there is none',
    [blockNumber, index],
    schema.NULL,
    ([ref], context) => show(context, ref, noUncle),
  ),
  method(
    'eth_getUncleByBlockHashAndIndex',
    'Uncle of a block: there is none',
    [hash, index],
    schema.NULL,
    ([value], context) => show(context, byHash(value), noUncle),
  ),
  ...['eth_getBlockAccessList', 'eth_getBlockAccessListRaw'].map((name) =>
    method(name, NO_ACCESS_LIST, [blockRef], schema.NULL, ([ref], context) => show(context, ref, noAccessList)),
  ),
  method('eth_getBlockAccessListByBlockNumber', NO_ACCESS_LIST, [blockNumber], schema.NULL, ([ref], context) =>
    show(context, ref, noAccessList),
  ),
  method('eth_getBlockAccessListByBlockHash', NO_ACCESS_LIST, [hash], schema.NULL, ([value], context) =>
    show(context, byHash(value), noAccessList),
  ),
];
