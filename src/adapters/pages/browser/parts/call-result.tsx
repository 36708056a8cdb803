import { decodeParameters } from '../../../../core/abi/decode.js';
import type { AbiItem } from '../../../../core/abi/item.js';
import { bytesOf } from '../data/crypto.js';
import { Value } from './events.js';
import { TxId } from './ids.js';

/** Outcome of a call or a transaction; `none` before the first one. */
export type CallOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'values'; readonly data: string }
  | { readonly kind: 'sent'; readonly hash: string };

/** The outcome of a function of a contract, with the values that it returns. */
export function CallResult({ outcome, item }: { outcome: CallOutcome; item: AbiItem }) {
  return (
    <div role="status" class={outcome.kind === 'failed' ? 'outcome bad' : 'result'}>
      {outcome.kind === 'failed' && outcome.text}
      {outcome.kind === 'sent' && (
        <>
          Sent: <TxId hash={outcome.hash} />
        </>
      )}
      {outcome.kind === 'values' && <Returned data={outcome.data} item={item} />}
    </div>
  );
}

function Returned({ data, item }: { data: string; item: AbiItem }) {
  const bytes = bytesOf(data);
  const values = bytes && decodeParameters(item.outputs, bytes);
  if (data === '0x' && item.outputs.length > 0) return <span class="muted">No contract answers at this moment.</span>;
  if (values === undefined) return <code>{data}</code>;
  if (values.length === 0) return <span class="muted">nothing is returned</span>;
  return (
    <ul class="plain">
      {values.map(({ name, value }, index) => (
        <li key={index}>
          {name !== '' && <span class="muted">{name}: </span>}
          <Value value={value} />
        </li>
      ))}
    </ul>
  );
}
