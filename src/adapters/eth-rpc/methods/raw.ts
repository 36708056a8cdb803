/**
 * `debug_getRaw*`: Ethereum encodings of stored data; and `debug_getBadBlocks`, always empty because blocks are
 * final.
 */
import { hexData } from '../../../core/bytes/hex.js';
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { encodeBlock, encodeHeader } from '../../../core/ethereum/header-encoding.js';
import { encodeReceipt } from '../../../core/ethereum/receipt-encoding.js';
import { dataArray } from '../../../core/ethereum/json/log-json.js';
import { encodeTransaction } from '../../../core/ethereum/transaction-codec.js';
import { toHeight } from '../../../core/primitives.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { serverError } from '../errors.js';
import { type BlockRef, blockRef } from '../params/block-ref.js';
import { hash } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { answerWithBlock, answerWithDigests } from '../resolve.js';
import * as schema from '../schema.js';

function show(context: MethodContext, ref: BlockRef, text: (block: EthereumBlock) => Answer): Answer | Promise<Answer> {
  return answerWithDigests(context, ref, text, failed(serverError('block not found')));
}

const header = (block: EthereumBlock): Answer => quoted(hexData(encodeHeader(block)));
const whole = (block: EthereumBlock): Answer => quoted(hexData(encodeBlock(block)));
/** Ethermint's clients pass the block as a JSON number. */
const byNumber = (number: bigint): BlockRef => ({ kind: 'number', number: toHeight(number) });

export const rawMethods: readonly Method[] = [
  method(
    'debug_getRawTransaction',
    'Encoding of a transaction; empty for an unknown one',
    [hash],
    schema.DATA,
    ([value], { api }) => {
      const mined = api.transaction(value);
      if (mined !== undefined) return quoted(hexData(mined.transaction.raw));
      const pending = api.pending(value);
      return quoted(pending === undefined ? '0x' : hexData(encodeTransaction(pending.transaction)));
    },
  ),
  method(
    'debug_getRawTransactions',
    'Encodings of the transactions of a block',
    [blockRef],
    schema.listOf(schema.DATA),
    ([ref], context) =>
      // an unknown block gives an empty list, as in reth and anvil
      answerWithBlock(context, ref, ({ transactions }) => ok(dataArray(transactions.map(({ raw }) => raw))), ok('[]')),
  ),
  method(
    'debug_getRawReceipts',
    'Encodings of the receipts of a block',
    [blockRef],
    schema.listOf(schema.DATA),
    ([ref], context) =>
      show(context, ref, ({ transactions }) =>
        ok(
          JSON.stringify(
            transactions.map(({ transaction, receipt }) => hexData(encodeReceipt(transaction.type, receipt))),
          ),
        ),
      ),
  ),
  method('debug_getRawHeader', 'RLP of a header', [blockRef], schema.DATA, ([ref], context) =>
    show(context, ref, header),
  ),
  method('debug_getRawBlock', 'RLP of a block', [blockRef], schema.DATA, ([ref], context) => show(context, ref, whole)),
  method('debug_getHeaderRlp', 'RLP of a header', [looseQuantity], schema.DATA, ([number], context) =>
    show(context, byNumber(number), header),
  ),
  method('debug_getBlockRlp', 'RLP of a block', [looseQuantity], schema.DATA, ([number], context) =>
    show(context, byNumber(number), whole),
  ),
  method('debug_getBadBlocks', 'Blocks that were refused: there are none', [], schema.listOf({ type: 'object' }), () =>
    ok('[]'),
  ),
];
