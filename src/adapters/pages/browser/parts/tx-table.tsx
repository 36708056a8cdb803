/** A table of transactions of both worlds. */
import type { ComponentChildren } from 'preact';
import { calledFunction } from '../data/call-names.js';
import { groupedText } from '../data/format.js';
import type { TxRow } from '../data/recent.js';
import { AccountId, BlockLink, ContractId, TxId } from './ids.js';
import { Table } from './layout.js';
import { Badge, CoinText, Status } from './values.js';

/** Columns of transactions; a narrow place has the first five. */
export const TX_COLUMNS = ['Hash', 'What', 'From', 'To', '>Value', 'Block', '>Gas', 'Result'];

/** Cells of a transaction in their order. */
export function txCells(row: TxRow, isShort = false): readonly ComponentChildren[] {
  return [
    <TxId hash={row.hash} isShort={isShort} />,
    <World row={row} hasFailure={isShort} />,
    row.from === undefined ? '' : <AccountId address={row.from} />,
    row.to === undefined ? '' : row.what === 'call' ? <ContractId address={row.to} /> : <AccountId address={row.to} />,
    row.value === undefined ? '' : <CoinText {...row.value} {...(isShort && { places: 3 })} />,
    ...(isShort ? [] : [<BlockLink height={row.height} />, groupedText(row.gasUsed), <Status ok={row.ok} />]),
  ];
}

/** Rows of transactions, the newest first; `isShort` leaves out what a narrow place has no room for. */
export function TxTable({ rows, label, empty, isShort = false, more }: TxTableProps) {
  return (
    <Table
      label={label}
      columns={isShort ? TX_COLUMNS.slice(0, 5) : [...TX_COLUMNS, ...(more === undefined ? [] : [more.name])]}
      rows={rows.map((row) => ({
        key: row.hash,
        cells: [...txCells(row, isShort), ...(more === undefined ? [] : [more.cell(row)])],
      }))}
      {...(empty !== undefined && { empty })}
    />
  );
}

interface TxTableProps {
  rows: readonly TxRow[];
  label: string;
  empty?: string;
  isShort?: boolean;
  /** A further column. */
  more?: { readonly name: string; readonly cell: (row: TxRow) => ComponentChildren };
}

/** The cell says what a transaction does, in which world it was made, and whether it failed. */
function World({ row: { world, what, ok, hash, to }, hasFailure }: { row: TxRow; hasFailure: boolean }) {
  const called = world === 'ethereum' && to !== undefined ? calledFunction(hash, to) : undefined;
  return (
    <span class="world">
      <Badge kind={world}>{world === 'ethereum' ? 'EVM' : 'Cosmos'}</Badge>{' '}
      {called === undefined ? what : <code>{called.isKnown ? `${called.name}()` : called.name}</code>}{' '}
      {hasFailure && !ok && <Badge kind="bad">failed</Badge>}
    </span>
  );
}
