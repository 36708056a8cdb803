import { hexData } from '../bytes/hex.js';
import type { Height } from '../primitives.js';
import { oneLine, type Line } from './line.js';

/** Consecutive blocks that are shown as one line. */
export interface Range {
  readonly from: Height;
  readonly to: Height;
}

/** The line of a block with transactions; `gasUsed` is undefined where it was not added up. */
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

/** The line of blocks without transactions. */
export function emptyBlocksLine({ from, to }: Range, severity: 'debug' | 'info'): Line {
  return {
    severity,
    message: 'empty blocks',
    parts: [['faint', `${rangeText({ from, to })} empty`]],
    fields: { from: from.toString(), to: to.toString() },
  };
}

/** The line of blocks that came too fast to be shown one by one. */
export function manyBlocksLine({ from, to }: Range, transactions: number): Line {
  return {
    severity: 'info',
    message: 'blocks',
    parts: [`${rangeText({ from, to })}  ${countText(transactions)}`, ['faint', '  not shown one by one: too many']],
    fields: { from: from.toString(), to: to.toString(), transactions },
  };
}

/** The line in place of the transactions of a block beyond those that are shown. */
export function moreTransactionsLine(count: number): Line {
  return {
    severity: 'info',
    message: 'more transactions',
    parts: [['faint', `  … ${count} more ${count === 1 ? 'transaction' : 'transactions'}`]],
    fields: { transactions: count },
  };
}

/** The line of a chain that was reverted to a snapshot. */
export function revertedLine(height: Height): Line {
  return {
    severity: 'info',
    message: 'went back',
    parts: [`back to block ${height}: later blocks are abandoned`],
    fields: { height: height.toString() },
  };
}

/** The line of a chain whose state came from a snapshot of another node. */
export function restoredLine(height: Height): Line {
  return {
    severity: 'info',
    message: 'restored',
    parts: [`the state after block ${height} came from a snapshot: earlier blocks are not here`],
    fields: { height: height.toString() },
  };
}

/** Lines that Solidity's `console.log` printed in a transaction or a call. */
export function consoleLines(texts: readonly string[], source: string): readonly Line[] {
  return texts.map((text) => ({
    severity: 'info',
    message: 'console.log',
    parts: text.split('\n').flatMap((row, index) => [`${index === 0 ? '' : '\n'}     console.log  `, row]),
    fields: { source, text },
  }));
}

/** The line of a method that a client called and this node does not have. */
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
