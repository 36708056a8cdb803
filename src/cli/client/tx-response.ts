import { base64 } from '@scure/base';
import { type JsonObject, textOf } from './rpc-client.js';
import { upperHex } from '../../core/bytes/hex.js';

/** A transaction and its result, as the SDK's commands print it. */
export type TxResponse = ReturnType<typeof txResponse>;

/** The SDK's TxResponse for a transaction result of the consensus RPC (cosmos-sdk v0.53 `types/result.go`). */
export function txResponse(
  result: JsonObject,
  height: string,
  found: { readonly tx: unknown; readonly timestamp: string } = { tx: null, timestamp: '' },
) {
  const data = textOf(result, 'data');
  const events = result['events'];
  return {
    height,
    txhash: textOf(result, 'hash'),
    codespace: textOf(result, 'codespace'),
    code: Number(result['code'] ?? 0),
    data: data === '' ? '' : upperHex(base64.decode(data)),
    raw_log: textOf(result, 'log'),
    logs: [],
    info: textOf(result, 'info'),
    gas_wanted: textOf(result, 'gas_wanted') || '0',
    gas_used: textOf(result, 'gas_used') || '0',
    tx: found.tx,
    timestamp: found.timestamp,
    events: Array.isArray(events) ? events : [],
  };
}
