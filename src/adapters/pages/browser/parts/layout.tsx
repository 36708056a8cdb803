/** The frame of a view: its title, tabs, cards, pairs and tables. */
import type { ComponentChildren, JSX } from 'preact';
import type { Route } from '../data/router.js';
import { addressOfView } from '../data/store.js';

/** A part of a view with a heading. */
export function Card({ title, actions, children, id }: CardProps) {
  const key = id ?? title.toLowerCase().replace(/\W+/g, '-');
  return (
    <section class="card" aria-labelledby={`${key}-title`} id={key}>
      <header>
        <h2 id={`${key}-title`}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

interface CardProps {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}

/** Names with values; a row whose value is undefined is left out. */
export function Pairs({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {rows
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A table whose rows keep their elements by their keys; on narrow windows each row is a card of its own. */
export function Table({ label, columns, rows, empty = 'Nothing yet.', rowCount }: TableProps) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="scroll">
      <table aria-label={label} {...(rowCount !== undefined && { 'aria-rowcount': rowCount + 1 })}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={column.startsWith('>') ? 'number' : ''}>
                {column.replace('>', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, rank, isAside }) => (
            <tr key={key} {...(rank !== undefined && { 'data-rank': rank })} class={isAside === true ? 'unseen' : ''}>
              {cells.map((cell, index) => (
                <td
                  key={columns[index] ?? index}
                  data-name={columns[index]?.replace('>', '')}
                  class={columns[index]?.startsWith('>') === true ? 'number' : ''}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface TableRow {
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  /** Its place in a long list (`Virtual`). */
  readonly rank?: number;
  readonly isAside?: boolean;
}

interface TableProps {
  label: string;
  /** A name that begins with `>` is of a column of numbers. */
  columns: readonly string[];
  rows: readonly TableRow[];
  empty?: string;
  /** Rows of the whole list, where only some of them are in the document. */
  rowCount?: number;
}

/** Tabs of a view, each of which has an address. */
export function Tabs({ tabs, label }: { tabs: readonly (readonly [string, Route, boolean])[]; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([text, to, isCurrent]) => (
        <a key={text} href={addressOfView(to)} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The head of a view. */
export function Title({ children, kicker, side }: TitleProps) {
  return (
    <div class="title">
      <div>
        {kicker !== undefined && <p class="kicker">{kicker}</p>}
        <h1>{children}</h1>
      </div>
      {side}
    </div>
  );
}

interface TitleProps {
  children: ComponentChildren;
  kicker?: string;
  side?: JSX.Element | false | undefined;
}
