import { base64 } from '@scure/base';
import { type JsonObject, textOf } from './rpc-client.js';
import { upperHex } from '../core/bytes/hex.js';

export interface TxResponse {
  readonly height: string;
  readonly txhash: string;
  readonly codespace: string;
  readonly code: number;
  readonly data: string;
  readonly raw_log: string;
  readonly logs: readonly unknown[];
  readonly info: string;
  readonly gas_wanted: string;
  readonly gas_used: string;
  readonly tx: unknown;
  readonly timestamp: string;
  readonly events: readonly unknown[];
}

/** The SDK's TxResponse for a transaction result of the consensus RPC (cosmos-sdk v0.53 `types/result.go`). */
export function txResponse(
  result: JsonObject,
  height: string,
  found: { readonly tx: unknown; readonly timestamp: string } = { tx: null, timestamp: '' },
): TxResponse {
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
