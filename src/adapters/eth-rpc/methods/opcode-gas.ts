/** Gas used per opcode (`trace_*OpcodeGas` of reth and anvil). */
import { hexData } from '../../../core/bytes/hex.js';
import { failed, type Method, method, ok } from '../method.js';
import { blockRef } from '../params/block-ref.js';
import { hash } from '../params/hex.js';
import { existingBlock } from '../resolve.js';
import * as schema from '../schema.js';
import { textOf, textsOfBlock } from '../traces/run.js';

/** Struct log options that `opcodeGas` needs. */
const STEPS = JSON.stringify({ disableStack: true, disableStorage: true });

interface OpcodeGas {
  readonly opcode: string;
  readonly count: number;
  readonly gasUsed: number;
}

interface Step {
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
}

/**
 * Counts executions and gas of each opcode, in order of first use. Gas that a call or creation passes to its frame is
 * not counted for it. If the frame ran no code, the cost is the gas used up, including that of a precompile.
 */
export function opcodeGas(json: string): readonly OpcodeGas[] {
  const { structLogs } = JSON.parse(json) as { readonly structLogs: readonly Step[] };
  const sums = new Map<string, { count: number; gasUsed: number }>();
  for (const [index, step] of structLogs.entries()) {
    const sum = sums.get(step.op) ?? { count: 0, gasUsed: 0 };
    sum.count += 1;
    sum.gasUsed += costOf(step, structLogs[index + 1]);
    sums.set(step.op, sum);
  }
  return [...sums].map(([opcode, sum]) => ({ opcode, ...sum }));
}

const MAKES_FRAME: ReadonlySet<string> = new Set([
  'CALL',
  'CALLCODE',
  'CREATE',
  'CREATE2',
  'DELEGATECALL',
  'STATICCALL',
]);

function costOf({ op, gas, gasCost, depth }: Step, next: Step | undefined): number {
  if (!MAKES_FRAME.has(op) || next === undefined || next.depth < depth) return gasCost;
  return Math.max(0, next.depth > depth ? gasCost - next.gas : gas - next.gas);
}

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
