/** Small parts of every view: links with a copy button, times, amounts, cards, tables, notices. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../data/answer.js';
import { contractName } from '../data/contracts.js';
import { nodeContract } from '../data/node-contracts.js';
import { spellings, bytesOf } from '../data/crypto.js';
import { ageText, amountText, dateText, meaningOf, shortText } from '../data/format.js';
import type { Route } from '../data/router.js';
import { addressOfView, clock, facts, moment } from '../data/store.js';
import { Icon } from './icon.js';

/** A link to a view of the application. */
export function To({ route, children, title }: { route: Route; children: ComponentChildren; title?: string }) {
  return (
    <a href={addressOfView(route)} title={title}>
      {children}
    </a>
  );
}

/** A button that copies a text, and says so. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => copyOldWay(text));
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={isDone ? `${what}: copied` : `Copy ${what}`}
      title={isDone ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  );
}

/** Pages that are not of loopback or HTTPS have no clipboard. */
function copyOldWay(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** An id in the font of code, cut in the middle unless `whole`, with its copy button; a link where `route` is given. */
export function Id({ id, route, whole = false, what = 'id', name }: IdProps) {
  const text = name ?? (whole ? id : shortText(id, id.startsWith('0x') ? 8 : 9, 6));
  const code = (
    <code title={id} class={name === undefined || name.startsWith('0x') ? undefined : 'named'}>
      {text}
    </code>
  );
  return (
    <span class={whole ? 'id whole' : 'id'}>
      {route === undefined ? code : <To route={route}>{code}</To>}
      <Copy text={id} what={what} />
    </span>
  );
}

interface IdProps {
  id: string;
  route?: Route;
  whole?: boolean;
  what?: string;
  name?: string | undefined;
}

/** A transaction's hash as a link to it. */
export function TxId({ hash, isShort = false }: { hash: string; isShort?: boolean }) {
  return <Id id={hash} route={{ view: 'tx', hash }} what="hash" {...(isShort && { name: shortText(hash, 6, 4) })} />;
}

/** A block's height as a link to it. */
export function BlockLink({ height }: { height: bigint | string | number }) {
  return <To route={{ view: 'block', id: BigInt(height).toString() }}>{BigInt(height).toString()}</To>;
}

/** An account as a link to it: the name of a dev account or a contract, else its address in the spelling that was given. */
export function AccountId({ address, whole = false }: { address: string; whole?: boolean }) {
  const bytes = bytesOf(address);
  const prefix = facts.value?.bech32_prefix;
  const text = bytes?.length === 20 && prefix !== undefined ? (spellings(bytes, prefix).hex ?? address) : address;
  const name = accountName(address) ?? contractName(text);
  return (
    <span class="account">
      {whole && name !== undefined && <span class="badge name">{name}</span>}
      <Id
        id={text}
        route={{ view: 'account', address: text, part: 'state' }}
        whole={whole}
        what="address"
        name={whole ? undefined : name}
      />
    </span>
  );
}

/** A contract as a link to it, for whose name the node is asked. */
export function ContractId({ address }: { address: string }) {
  nodeContract(address);
  return <AccountId address={address} />;
}

/** Name of a dev account, in either spelling of its address. */
export function accountName(address: string): string | undefined {
  const lower = address.toLowerCase();
  return facts.value?.accounts.find((one) => one.hex.toLowerCase() === lower || one.bech32 === lower)?.name;
}

/** A moment: its age, and date and time on demand; `milliseconds` since 1970. */
export function When({ milliseconds, isDate = false }: { milliseconds: number; isDate?: boolean }) {
  const date = new Date(milliseconds);
  const text = dateText(milliseconds);
  const now = clock.value;
  const age = now >= milliseconds ? `${ageText(now - milliseconds)} ago` : `in ${ageText(milliseconds - now)}`;
  return (
    <time dateTime={Number.isNaN(date.getTime()) ? '' : date.toISOString()} title={text}>
      {isDate ? `${text} (${age})` : age}
    </time>
  );
}

/** An amount of the native coin, from base units. */
export function Coins({ amount, places }: { amount: bigint; places?: number }) {
  const denom = facts.value?.denom;
  return (
    <span class="amount" title={`${amount} ${denom?.base ?? ''}`}>
      {amountText(amount, denom?.decimals ?? 18, places)} <span class="unit">{denom?.symbol ?? ''}</span>
    </span>
  );
}

/** A coin of any denomination. */
export function CoinText({ denom, amount, places }: { denom: string; amount: string; places?: number }) {
  const [whole = '0'] = amount.split('.');
  if (denom === facts.value?.denom.base)
    return <Coins amount={BigInt(whole)} {...(places !== undefined && { places })} />;
  return (
    <span class="amount">
      {amount} <To route={{ view: 'denom', denom }}>{shortText(denom, 16, 6)}</To>
    </span>
  );
}

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

/** The parts of a view once its answer is there; before, a place for it, and the node's words when it refuses. */
export function Shown<Value>({ answer, children, lines = 3, title }: ShownProps<Value>) {
  if (answer.state === 'loading')
    return (
      <div class="skeleton" aria-busy="true">
        <span class="unseen">Loading</span>
        {Array.from({ length: lines }, (_, index) => (
          <i key={index} />
        ))}
      </div>
    );
  if (answer.state === 'failed')
    return (
      <>
        {title !== undefined && <Title kicker={title}>Not found</Title>}
        <Failure message={answer.message} />
      </>
    );
  return (
    <div class={answer.isOld ? 'shown old' : 'shown'} aria-busy={answer.isOld}>
      {children(answer.value)}
    </div>
  );
}

interface ShownProps<Value> {
  answer: Answer<Value>;
  children: (value: Value) => ComponentChildren;
  lines?: number;
  /** Heading of a whole view whose thing does not exist. */
  title?: string;
}

/** The node's own words when it refuses, and what they mean where that is known. */
export function Failure({ message }: { message: string }) {
  const meaning = meaningOf(message);
  return (
    <p class="callout bad">
      <Icon name="alert" />
      <span>
        {meaning !== '' && <strong>{meaning}</strong>}
        {message}
      </span>
    </p>
  );
}

/** A remark with an icon. */
export function Callout({ kind = 'info', children }: { kind?: 'info' | 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <p class={`callout ${kind}`}>
      <Icon name={kind === 'info' ? 'info' : 'alert'} />
      <span>{children}</span>
    </p>
  );
}

/** Says that a thing of a block is later than the moment that the application shows. */
export function Later({ height }: { height: bigint }) {
  const at = moment.value;
  if (at === undefined || height <= at) return null;
  return (
    <Callout kind="warn">
      This is of block {height.toString()}: it came after block {at.toString()}, the moment that is shown.
    </Callout>
  );
}

/** A word in a frame. */
export function Badge({ kind, children }: { kind: string; children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** Whether a transaction succeeded. */
export function Status({ ok, text }: { ok: boolean; text?: string }) {
  return (
    <span class={ok ? 'badge good' : 'badge bad'}>
      <Icon name={ok ? 'check' : 'cross'} />
      {text ?? (ok ? 'success' : 'failed')}
    </span>
  );
}

/** Text as code, in lines, with a copy button. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={what}>
        {text}
      </pre>
      <Copy text={text} what={what} />
    </div>
  );
}

/** A button whose action takes time: while it runs it cannot be pressed, and its end is said beside it. */
export function Action({ label, run, kind = '' }: { label: string; run: () => Promise<string>; kind?: string }) {
  const [state, set] = useState<{
    readonly isBusy: boolean;
    readonly text: ComponentChildren;
    readonly isBad: boolean;
  }>({ isBusy: false, text: '', isBad: false });
  const isMounted = useRef(true);
  useEffect(() => () => void (isMounted.current = false), []);
  const press = async (): Promise<void> => {
    set({ isBusy: true, text: '', isBad: false });
    const end = await run().then(
      (text) => ({ isBusy: false, text, isBad: false }),
      (error: unknown) => ({ isBusy: false, text: messageOf(error), isBad: true }),
    );
    if (isMounted.current) set(end);
  };
  return (
    <span class="action">
      <button type="button" class={kind} disabled={state.isBusy} onClick={() => void press()}>
        {label}
      </button>
      <span role="status" class={state.isBad ? 'outcome bad' : 'outcome'}>
        {state.text}
      </span>
    </span>
  );
}

/** The words of anything that was thrown; wallets throw plain objects. */
export function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

/** Text of a field of a form by its name; empty without one. */
export function fieldText(form: HTMLFormElement | null, name: string): string {
  const value = new FormData(form ?? undefined).get(name);
  return typeof value === 'string' ? value : '';
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
