/** Gas by instruction of transactions (`trace_*OpcodeGas` of reth and anvil). */
import { hexData } from '../../../core/bytes/hex.js';
import { failed, type Method, method, ok } from '../method.js';
import { blockRef } from '../params/block-ref.js';
import { hash } from '../params/hex.js';
import { existingBlock } from '../resolve.js';
import * as schema from '../schema.js';
import { opcodeGas, STEPS } from '../traces/opcode-gas.js';
import { textOf, textsOfBlock } from '../traces/run.js';

const OF_TRANSACTION = schema.objectOf({
  transactionHash: schema.HASH,
  opcodeGas: schema.listOf(schema.objectOf({ opcode: schema.TEXT, count: schema.COUNT, gasUsed: schema.COUNT })),
});
const OF_BLOCK = schema.objectOf({
  blockHash: schema.HASH,
  blockNumber: schema.COUNT,
  transactions: schema.listOf(OF_TRANSACTION),
});

export const opcodeGasMethods: readonly Method[] = [
  method(
    'trace_transactionOpcodeGas',
    'Gas by instruction of a transaction',
    [hash],
    schema.orNull(OF_TRANSACTION),
    async ([value], context) => {
      const placed = context.api.transaction(value);
      if (placed === undefined) return ok('null');
      const steps = await textOf(value, STEPS, context);
      return steps.ok ? ok(JSON.stringify(gasOf(placed.transaction.hash, steps.value))) : failed(steps.error);
    },
  ),
  method(
    'trace_blockOpcodeGas',
    'Gas by instruction of the transactions of a block',
    [blockRef],
    OF_BLOCK,
    async ([ref], context) => {
      const block = existingBlock(context.api, ref);
      if (!block.ok) return block;
      const { transactions, height, hash: blockHash } = block.value;
      const texts = await textsOfBlock(block.value, STEPS, context);
      if (!texts.ok) return failed(texts.error);
      return ok(
        JSON.stringify({
          blockHash: hexData(blockHash),
          blockNumber: Number(height),
          transactions: texts.value.map((text, index) => gasOf(transactions[index]?.hash ?? new Uint8Array(), text)),
        }),
      );
    },
  ),
];

function gasOf(transaction: Uint8Array, steps: string) {
  return { transactionHash: hexData(transaction), opcodeGas: opcodeGas(steps) };
}
