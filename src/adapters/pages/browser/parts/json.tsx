/** JSON of messages, events and answers as nested pairs; ids of the chain in it are links. */
import type { ComponentChildren } from 'preact';
import { addressOf, bech32Bytes } from '../data/crypto.js';
import { lastName } from '../data/format.js';
import { facts } from '../data/store.js';
import { AccountId, Id } from './ids.js';

/** Deepest nesting that is shown as pairs; what is deeper is shown as text. */
const DEPTH = 8;
/** Items of a list that are shown. */
const ITEMS = 100;

/** A value of JSON. */
export function Json({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined || value === '') return <span class="muted">none</span>;
  if (typeof value === 'string') return <Scalar text={value} />;
  if (typeof value !== 'object') return <span class="text">{JSON.stringify(value)}</span>;
  if (depth > DEPTH) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="muted">none</span>;
    return (
      <ul class="json-list">
        {value.slice(0, ITEMS).map((item, index) => (
          <li key={index}>
            <Json value={item} depth={depth + 1} />
          </li>
        ))}
        {value.length > ITEMS && <li class="muted">and {value.length - ITEMS} more</li>}
      </ul>
    );
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return <span class="muted">none</span>;
  const { denom, amount } = value as { readonly denom?: unknown; readonly amount?: unknown };
  if (entries.length === 2 && typeof denom === 'string' && typeof amount === 'string')
    return (
      <span class="amount">
        {amount} {denom}
      </span>
    );
  return (
    <dl class="json">
      {entries.map(([name, part]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{name === '@type' ? lastName(String(part)) : <Json value={part} depth={depth + 1} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text; one that is an address of the chain is a link. */
export function Scalar({ text }: { text: string }): ComponentChildren {
  const prefix = facts.value?.bech32_prefix ?? '';
  if (text.length > 30 && text.length < 100) {
    if (addressOf(text, prefix) !== undefined) return <AccountId address={text} />;
    if (bech32Bytes(text, `${prefix}valoper`) !== undefined)
      return <Id id={text} route={{ view: 'validator', address: text }} what="validator" />;
    if (/^0x[0-9a-f]{64}$/i.test(text)) return <Id id={text} what="value" />;
  }
  if (text.length > 400) return <code class="long">{`${text.slice(0, 400)}… (${text.length} characters)`}</code>;
  return <span class="text">{text}</span>;
}
