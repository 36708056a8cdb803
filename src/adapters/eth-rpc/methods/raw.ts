/** Consensus encodings of stored data (`debug_getRaw*`), and bad blocks, which never exist because blocks are final. */
import { hexData } from '../../../core/bytes/hex.js';
import { encodeReceipt } from '../../../core/ethereum/receipt-encoding.js';
import { type Method, failed, method, ok, quoted } from '../method.js';
import { serverError } from '../errors.js';
import { blockRef } from '../params/block-ref.js';
import { hash } from '../params/hex.js';
import { resolveBlock } from '../resolve.js';

export const rawMethods: readonly Method[] = [
  method('debug_getRawTransaction', [hash], ([value], { api }) => {
    const mined = api.transaction(value);
    return quoted(mined === undefined ? '0x' : hexData(mined.transaction.raw));
  }),
  method('debug_getRawReceipts', [blockRef], ([ref], { api }) => {
    const block = resolveBlock(api, ref);
    if (!block.ok) return failed(block.error);
    if (block.value === undefined) return failed(serverError('block not found'));
    return ok(
      JSON.stringify(
        block.value.transactions.map(({ transaction, receipt }) => hexData(encodeReceipt(transaction.type, receipt))),
      ),
    );
  }),
  method('debug_getBadBlocks', [], () => ok('[]')),
];
