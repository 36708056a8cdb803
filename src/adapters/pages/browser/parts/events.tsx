/** Events of ABCI and logs of contracts, decoded where their interface is known. */
import { useState } from 'preact/hooks';
import { valueText } from '../../../../core/abi/text.js';
import type { Decoded } from '../../../../core/abi/interfaces.js';
import type { AbiValue } from '../../../../core/abi/decode.js';
import { decodeEvent } from '../data/contracts.js';
import { spellings } from '../data/crypto.js';
import type { Log } from '../data/ethereum.js';
import type { AbciEvent } from '../data/faces.js';
import { shortText } from '../data/format.js';
import { facts } from '../data/store.js';
import { AccountId, accountName, BlockLink, TxId } from './ids.js';
import { Badge, Code } from './values.js';
import { Scalar } from './json.js';

/** Events that are shown at once; a button shows the others. */
const SHOWN = 60;

/** Events of ABCI in their order; attributes that only number a message are left out. */
export function AbciEvents({ events, label }: { events: readonly AbciEvent[]; label: string }) {
  const [isAll, setAll] = useState(false);
  if (events.length === 0) return <p class="empty">None.</p>;
  const shown = isAll ? events : events.slice(0, SHOWN);
  return (
    <>
      <ul class="events" aria-label={label}>
        {shown.map(({ type, attributes }, index) => (
          <li key={index}>
            <Badge kind="plain">{type}</Badge>
            <dl class="json">
              {attributes
                .filter(({ key }) => key !== 'msg_index' && key !== 'mode')
                .map(({ key, value }, at) => (
                  <div key={at}>
                    <dt>{key}</dt>
                    <dd>
                      {value === null || value === '' ? <span class="muted">none</span> : <Attribute text={value} />}
                    </dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ul>
      {shown.length < events.length && (
        <button type="button" onClick={() => setAll(true)}>
          All {events.length} events
        </button>
      )}
    </>
  );
}

function Attribute({ text }: { text: string }) {
  // a bloom filter, and other bytes that are no text
  if (/[^\P{Cc}\s]/u.test(text)) return <span class="muted">{text.length} bytes that are not text</span>;
  return <Scalar text={text} />;
}

/** Logs of contracts. */
export function Logs({ logs, isAlone = false }: { logs: readonly Log[]; isAlone?: boolean }) {
  if (logs.length === 0) return <p class="empty">None.</p>;
  return (
    <ul class="events">
      {logs.map((log) => {
        const decoded = decodeEvent(log);
        return (
          <li key={`${log.blockNumber} ${log.logIndex}`}>
            <div class="frame">
              <Badge kind="accent">{decoded?.name ?? 'unknown event'}</Badge>
              {isAlone ? (
                <span>
                  block <BlockLink height={log.blockNumber} /> <TxId hash={log.transactionHash} />
                </span>
              ) : (
                <AccountId address={log.address} />
              )}
            </div>
            {decoded === undefined ? <RawLog log={log} /> : <Values decoded={decoded} />}
          </li>
        );
      })}
    </ul>
  );
}

function RawLog({ log }: { log: Log }) {
  return (
    <dl class="json">
      {log.topics.map((topic, index) => (
        <div key={index}>
          <dt>topic {index}</dt>
          <dd>
            <code>{topic}</code>
          </dd>
        </div>
      ))}
      <div>
        <dt>data</dt>
        <dd>{log.data === '0x' ? <span class="muted">none</span> : <Code text={log.data} what="data" />}</dd>
      </div>
    </dl>
  );
}

/** Named values of a call, an error or an event. */
export function Values({ decoded }: { decoded: Decoded }) {
  if (decoded.values.length === 0) return null;
  return (
    <dl class="json">
      {decoded.values.map(({ name, value }, index) => (
        <div key={index}>
          <dt>{name === '' ? `#${index}` : name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One value of Solidity's ABI; an address is a link. */
export function Value({ value }: { value: AbiValue }) {
  if (value.kind === 'address') return <AccountId address={nameOfAddress(value.value)} />;
  return <span class="text">{abiText(value)}</span>;
}

/** A value as text. */
export function abiText(value: AbiValue): string {
  return valueText(value, nameOfAddress);
}

function nameOfAddress(bytes: Uint8Array): string {
  return spellings(bytes, facts.value?.bech32_prefix ?? 'x').hex ?? '';
}

/** A key of a mapping in the name of its entry: an account by its name, or a part of its address. */
export function slotKeyText(key: AbiValue): string {
  const text = abiText(key);
  return key.kind === 'address' ? (accountName(text) ?? shortText(text, 6, 4)) : text;
}
