/**
 * `cosmos.tx.v1beta1.Service`: sending, simulating and finding transactions (cosmos-sdk v0.53 `x/auth/tx/service.go`).
 */
import { Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { ServedFiles } from '../files.js';
import { type NodeMethod, unary } from '../method.js';
import { StdTxCodec } from './amino/std-tx.js';
import { broadcastTx } from './broadcast.js';
import { rawTx, txDecode, txDecodeAmino, txEncode, txEncodeAmino } from './codec.js';
import { getBlockWithTxs } from './block-with-txs.js';
import { getTxsEvent } from './search.js';
import { type Refusal, STATUS, refusal, refusalOf } from '../status.js';
import { simulation } from './simulation.js';
import { fromHex } from '../../../core/bytes/hex.js';
import { txResponse } from './tx-response.js';

const { method } = Service;

/** GetTx: finds a transaction by its consensus or Ethereum hash, with or without 0x. */
const getTx = unary(method.getTx, ({ hash }, { api }) => {
  if (hash === '') return refusal(STATUS.invalidArgument, 'tx hash cannot be empty');
  const bytes = readHash(hash);
  if (!bytes.ok) return bytes;
  const { chain } = api.queries;
  const place = chain.place(bytes.hash);
  const stored = place && chain.txAt(place.height, place.index);
  if (stored === undefined) return refusal(STATUS.notFound, `tx not found: ${hash}`);
  const shown = txResponse(chain, stored);
  return shown.ok ? { ok: true, value: { tx: shown.tx, txResponse: shown.response } } : shown;
});

/** Parses hex digits with the errors of Go's decoder. */
function readHash(text: string): { readonly ok: true; readonly hash: Uint8Array } | Refusal {
  const digits = /^0x/i.test(text) ? text.slice(2) : text;
  const bad = /[^0-9a-f]/iu.exec(digits)?.[0];
  if (bad !== undefined) return refusal(STATUS.unknown, `encoding/hex: invalid byte: ${runeText(bad)}`);
  if (digits.length % 2 === 1) return refusal(STATUS.unknown, 'encoding/hex: odd length hex string');
  return { ok: true, hash: fromHex(digits) };
}

/** Formats the first byte of a character like Go's `%#U`. */
function runeText(character: string): string {
  const byte = new TextEncoder().encode(character)[0] ?? 0;
  const printable = byte >= 0x20 && byte < 0x7f;
  return `U+${byte.toString(16).toUpperCase().padStart(4, '0')}${printable ? ` '${String.fromCharCode(byte)}'` : ''}`;
}

/** Simulate: simulates a transaction on the current state. Bytes take precedence over a decoded transaction. */
const simulate = unary(method.simulate, async ({ txBytes, tx }, { api }) => {
  const bytes = txBytes.length > 0 || tx === undefined ? txBytes : rawTx(tx);
  if (bytes.length === 0 && tx === undefined) return refusal(STATUS.invalidArgument, 'empty txBytes is not allowed');
  const ran = await api.queries.app.simulate(bytes);
  if (!ran.ok) return refusalOf(ran.error);
  const simulated = ran.value;
  if (!simulated.ok) return refusal(STATUS.unknown, `${simulated.log} with gas used: '${simulated.gasUsed}'`);
  const { gasInfo, result } = simulation(bytes, simulated);
  return { ok: true, value: { ...(gasInfo && { gasInfo }), ...(result && { result }) } };
});

/** Creates the methods of `cosmos.tx.v1beta1.Service`. */
export function txMethods({ registry }: ServedFiles): readonly NodeMethod[] {
  const amino = new StdTxCodec(registry);
  return [
    simulate,
    getTx,
    broadcastTx,
    getTxsEvent,
    getBlockWithTxs,
    txDecode,
    txEncode,
    txEncodeAmino(amino),
    txDecodeAmino(amino),
  ];
}
