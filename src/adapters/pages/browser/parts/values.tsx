/** Times, amounts, outcomes and code as views show them. */
import type { ComponentChildren } from 'preact';
import { ageText, amountText, dateText, shortText } from '../data/format.js';
import { clock, facts } from '../data/store.js';
import { Icon } from './icon.js';
import { To, Copy } from './ids.js';

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
