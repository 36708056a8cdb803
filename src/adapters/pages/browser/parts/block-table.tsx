/** Blocks as rows of a table. */
import type { ComponentChildren } from 'preact';
import type { Block } from '../data/ethereum.js';
import { gweiText, groupedText } from '../data/format.js';
import { BlockLink, Id } from './ids.js';
import { Table } from './layout.js';
import { When } from './values.js';

/** A table of blocks. */
export function BlockTable({ blocks, isShort = false }: { blocks: readonly Block<unknown>[]; isShort?: boolean }) {
  return (
    <Table
      label="Blocks"
      columns={isShort ? BLOCK_COLUMNS.slice(0, -1) : BLOCK_COLUMNS}
      rows={blocks.map((block) => ({ key: block.hash, cells: blockCells(block, isShort) }))}
    />
  );
}

/** Columns of blocks; a narrow place leaves the last one out. */
export const BLOCK_COLUMNS = ['Number', 'Hash', 'Time', '>Transactions', '>Gas used', '>Base fee'];

/** Cells of a block in their order. */
export function blockCells(block: Block<unknown>, isShort = false): readonly ComponentChildren[] {
  return [
    <BlockLink height={block.number} />,
    <Id id={block.hash} route={{ view: 'block', id: block.hash }} what="block hash" />,
    <When milliseconds={Number(block.timestamp) * 1_000} />,
    block.transactions.length.toString(),
    groupedText(BigInt(block.gasUsed)),
    ...(isShort || block.baseFeePerGas === undefined ? [] : [gweiText(BigInt(block.baseFeePerGas))]),
  ];
}
