import { hexData } from '../bytes/hex.js';
import type { Height } from '../primitives.js';
import { oneLine, type Line } from './line.js';

/** Consecutive blocks shown on one line. */
export interface Range {
  readonly from: Height;
  readonly to: Height;
}

/** Line of a block with transactions; `gasUsed` is undefined when it was not computed. */
export function blockLine(block: {
  readonly height: Height;
  readonly hash: Uint8Array;
  readonly transactions: number;
  readonly gasUsed: bigint | undefined;
}): Line {
  const { height, hash, transactions, gasUsed } = block;
  return {
    severity: 'info',
    message: 'block',
    parts: [
      `block ${height}`,
      ['faint', `  ${hexData(hash)}`],
      `  ${countText(transactions)}${gasUsed === undefined ? '' : `  ${gasUsed} gas`}`,
    ],
    fields: {
      height: height.toString(),
      hash: hexData(hash),
      transactions,
      ...(gasUsed !== undefined && { gas_used: gasUsed.toString() }),
    },
  };
}

/** Line of blocks without transactions. */
export function emptyBlocksLine({ from, to }: Range, severity: 'debug' | 'info'): Line {
  return {
    severity,
    message: 'empty blocks',
    parts: [['faint', `${rangeText({ from, to })} empty`]],
    fields: { from: from.toString(), to: to.toString() },
  };
}

/** Line of blocks that came too fast to be shown one by one. */
export function manyBlocksLine({ from, to }: Range, transactions: number): Line {
  return {
    severity: 'info',
    message: 'blocks',
    parts: [`${rangeText({ from, to })}  ${countText(transactions)}`, ['faint', '  not shown one by one: too many']],
    fields: { from: from.toString(), to: to.toString(), transactions },
  };
}

/** Line that stands for the transactions of a block beyond those shown. */
export function moreTransactionsLine(count: number): Line {
  return {
    severity: 'info',
    message: 'more transactions',
    parts: [['faint', `  … ${count} more ${count === 1 ? 'transaction' : 'transactions'}`]],
    fields: { transactions: count },
  };
}

/** Line of a chain reverted to a snapshot. */
export function revertedLine(height: Height): Line {
  return {
    severity: 'info',
    message: 'went back',
    parts: [`back to block ${height}: later blocks are abandoned`],
    fields: { height: height.toString() },
  };
}

/** Line of a chain whose state came from another node's snapshot. */
export function restoredLine(height: Height): Line {
  return {
    severity: 'info',
    message: 'restored',
    parts: [`the state after block ${height} came from a snapshot: earlier blocks are not here`],
    fields: { height: height.toString() },
  };
}

/** Lines printed by Solidity's `console.log` in a transaction or call. */
export function consoleLines(texts: readonly string[], source: string): readonly Line[] {
  return texts.map((text) => ({
    severity: 'info',
    message: 'console.log',
    parts: text.split('\n').flatMap((row, index) => [`${index === 0 ? '' : '\n'}     console.log  `, row]),
    fields: { source, text },
  }));
}

/** Line of a method that a client called and this node does not have. */
export function unknownMethodLine(face: string, method: string): Line {
  const name = oneLine(method);
  return {
    severity: 'warn',
    message: 'unknown method',
    parts: [['bad', `${face}: a client called ${name}, which this node does not have (said once)`]],
    fields: { face, method: name },
  };
}

function countText(transactions: number): string {
  return transactions === 1 ? '1 transaction' : `${transactions} transactions`;
}

function rangeText({ from, to }: Range): string {
  return from === to ? `block ${from}` : `blocks ${from} to ${to}`;
}
