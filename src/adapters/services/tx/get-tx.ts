import type { MessageInitShape } from '@bufbuild/protobuf';
import { fromHex } from '../../../core/bytes/hex.js';
import type { GetTxRequest, GetTxResponseSchema } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { CallContext, Reply } from '../method.js';
import { refusal, STATUS, type Refusal } from '../status.js';
import { txResponse } from './tx-response.js';

/** Finds a transaction by its consensus hash or by the hash of the Ethereum transaction inside, with or without 0x. */
export function getTx(
  { hash }: GetTxRequest,
  { api }: CallContext,
): Reply<MessageInitShape<typeof GetTxResponseSchema>> {
  if (hash === '') return refusal(STATUS.invalidArgument, 'tx hash cannot be empty');
  const bytes = readHash(hash);
  if (!bytes.ok) return bytes;
  const { chain } = api.queries;
  const place = chain.place(bytes.hash);
  const stored = place && chain.txAt(place.height, place.index);
  if (stored === undefined) return refusal(STATUS.notFound, `tx not found: ${hash}`);
  const shown = txResponse(chain, stored);
  return shown.ok ? { ok: true, value: { tx: shown.tx, txResponse: shown.response } } : shown;
}

/** Parses hex digits with the errors of Go's decoder. */
function readHash(text: string): { readonly ok: true; readonly hash: Uint8Array } | Refusal {
  const digits = /^0x/i.test(text) ? text.slice(2) : text;
  const bad = /[^0-9a-f]/iu.exec(digits)?.[0];
  if (bad !== undefined) return refusal(STATUS.unknown, `encoding/hex: invalid byte: ${runeText(bad)}`);
  if (digits.length % 2 === 1) return refusal(STATUS.unknown, 'encoding/hex: odd length hex string');
  return { ok: true, hash: fromHex(digits) };
}

/** The first byte of a character as Go's `%#U` writes it. */
function runeText(character: string): string {
  const byte = new TextEncoder().encode(character)[0] ?? 0;
  const printable = byte >= 0x20 && byte < 0x7f;
  return `U+${byte.toString(16).toUpperCase().padStart(4, '0')}${printable ? ` '${String.fromCharCode(byte)}'` : ''}`;
}
