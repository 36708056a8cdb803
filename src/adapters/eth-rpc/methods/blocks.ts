/** Methods about blocks, headers, counts and receipts. There are no uncles. An unknown block gives null. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { blockJson, headerJson } from '../../../core/ethereum/json/block-json.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { itemsOf } from '../../../core/ethereum/block-items.js';
import { concatTexts } from '../../../core/ethereum/json/concat-texts.js';
import { largeDigests } from '../block-digests.js';
import { arrayParts, assembledLogs } from '../assembled.js';
import { manyLogs, partsOfReceipt } from '../block-logs.js';
import {
  type Answer,
  type Answering,
  type Method,
  type MethodContext,
  type Streamed,
  method,
  ok,
  quoted,
} from '../method.js';
import { type BlockRef, blockRef, isPending } from '../params/block-ref.js';
import { index } from '../params/hex.js';
import { bool } from '../params/param.js';
import { answerPrepared, answerWithBlock, answerWithDigests, resolveBlock } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';
import { byBlock } from './by-block.js';

type Show = (block: EthereumBlock) => string;

/**
 * Answer with a block. If there is no pending block, `pending` is the head with the next block's base fee, from which
 * clients compute their gas price (EIP-1559).
 */
function shown({ api }: MethodContext, ref: BlockRef, json: Show): (block: EthereumBlock) => Answer {
  return (block) => {
    const isInPlace = isPending(ref) && block.isPending !== true && block.baseFeePerGas !== undefined;
    return ok(json(isInPlace ? { ...block, baseFeePerGas: api.nextBaseFee() } : block));
  };
}

function show(context: MethodContext, ref: BlockRef, json: Show): Answer {
  return answerWithBlock(context, ref, shown(context, ref, json));
}

/** `show` of what has the roots and the bloom of the block. */
function showWithDigests(context: MethodContext, ref: BlockRef, json: Show): Answer | Promise<Answer> {
  return answerWithDigests(context, ref, shown(context, ref, json));
}

const countOf = (block: EthereumBlock): string => `"${hexQuantity(block.transactions.length)}"`;
const noUncles = (): string => '"0x0"';
const noUncle = (): string => 'null';
/** No fork of this chain includes EIP-7928. */
const noAccessList = (): string => 'null';
const NO_ACCESS_LIST = 'Access list of a block (EIP-7928): there is none';
const receiptsOf = (block: EthereumBlock): string =>
  `[${concatTexts(block.transactions, (transaction) => receiptJson(transaction, block))}]`;

/** Answers the receipts of a block; those with many logs in slices. */
function blockReceipts(context: MethodContext, ref: BlockRef): Answering {
  const answer = (): Answer | Promise<Answer | Streamed> => {
    const resolved = resolveBlock(context.api, ref);
    const block = resolved.ok ? resolved.value : undefined;
    const decoding = block && manyLogs(block.transactions, context.timers);
    if (block === undefined || decoding === undefined) return show(context, ref, receiptsOf);
    const parts = arrayParts(block.transactions, (transaction) => partsOfReceipt(transaction, block));
    return decoding.then(() => assembledLogs(itemsOf(block), parts, context));
  };
  return answerPrepared(context, ref, (block) => largeDigests(block, context.timers), answer);
}

const BLOCK_HASHES = schema.objectOf({
  number: schema.QUANTITY_64,
  hash: schema.HASH,
  consensusHash: schema.orNull(schema.HASH),
});
const hashesOf = ({ height, hash: shown, consensusHash }: EthereumBlock): string =>
  `{"number":"${hexQuantity(height)}","hash":"${hexData(shown)}","consensusHash":${consensusHash === undefined ? 'null' : `"${hexData(consensusHash)}"`}}`;

export const blockMethods: readonly Method[] = [
  method('eth_blockNumber', 'Number of the newest block', [], schema.QUANTITY_64, (_values, { api }) =>
    quoted(hexQuantity(api.blockNumber())),
  ),
  ...byBlock(
    ['eth_getBlockByNumber', 'eth_getBlockByHash'],
    ['Block by number or tag', 'Block by hash'],
    [bool],
    schema.orNull(result.BLOCK),
    ([ref, full], context) => showWithDigests(context, ref, (block) => blockJson(block, full)),
  ),
  ...byBlock(
    ['eth_getHeaderByNumber', 'eth_getHeaderByHash'],
    ['Header by number or tag', 'Header by hash'],
    [],
    schema.orNull(result.HEADER),
    ([ref], context) => showWithDigests(context, ref, headerJson),
  ),
  method(
    'eth_getBlockReceipts',
    'Receipts of all transactions of a block',
    [blockRef],
    schema.orNull(schema.listOf(result.RECEIPT)),
    ([ref], context) => blockReceipts(context, ref),
  ),
  ...byBlock(
    ['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'],
    'Number of transactions in a block',
    [],
    schema.orNull(schema.QUANTITY_64),
    ([ref], context) => show(context, ref, countOf),
  ),
  ...byBlock(
    ['eth_getUncleCountByBlockNumber', 'eth_getUncleCountByBlockHash'],
    'Number of uncles of a block: there are none',
    [],
    schema.orNull(schema.QUANTITY_64),
    ([ref], context) => show(context, ref, noUncles),
  ),
  ...byBlock(
    ['eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex'],
    'Uncle of a block: there is none',
    [index],
    schema.NULL,
    ([ref], context) => show(context, ref, noUncle),
  ),
  method(
    'eth_getBlockHashes',
    'Number and hashes of a block: that of this face, and that of the consensus block',
    [blockRef],
    schema.orNull(BLOCK_HASHES),
    ([ref], context) => show(context, ref, hashesOf),
  ),
  ...['eth_getBlockAccessList', 'eth_getBlockAccessListRaw'].map((name) =>
    method(name, NO_ACCESS_LIST, [blockRef], schema.NULL, ([ref], context) => show(context, ref, noAccessList)),
  ),
  ...byBlock(
    ['eth_getBlockAccessListByBlockNumber', 'eth_getBlockAccessListByBlockHash'],
    NO_ACCESS_LIST,
    [],
    schema.NULL,
    ([ref], context) => show(context, ref, noAccessList),
  ),
];
