import { sha256 } from '@noble/hashes/sha2.js';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { upperHex } from '../../../core/bytes/hex.js';
import { BroadcastMode, Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { MEMPOOL_ERRORS } from '../../../core/sdk/module/sdk-error.js';
import { unary } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';

const { method } = Service;

/**
 * BroadcastTx: sends a transaction to the mempool. SYNC answers the CheckTx result, ASYNC only the hash. Absent bytes
 * are an error; empty bytes are passed to CheckTx, which rejects them (cosmos-sdk v0.53 `client/broadcast.go`).
 * `encoded` is the request.
 */
export const broadcastTx = unary(method.broadcastTx, async ({ txBytes, mode }, { api }, encoded) => {
  if (txBytes.length === 0 && !hasField(encoded, method.broadcastTx.input.field.txBytes.number))
    return refusal(STATUS.invalidArgument, 'invalid empty tx');
  if (mode !== BroadcastMode.SYNC && mode !== BroadcastMode.ASYNC) {
    return refusal(STATUS.unknown, 'unsupported return type unspecified; supported types: sync, async');
  }
  const txhash = upperHex(sha256(txBytes));
  const admitted = await api.commands.broadcastTx(txBytes);
  if (!admitted.ok) {
    const registered = MEMPOOL_ERRORS[admitted.error.code];
    if (registered === undefined) return refusalOf(admitted.error);
    const { code, codespace } = registered;
    return { ok: true, value: { txResponse: { txhash, codespace, code } } };
  }
  if (mode === BroadcastMode.ASYNC) return { ok: true, value: { txResponse: { txhash } } };
  const { code, codespace, data, log } = admitted.value;
  return { ok: true, value: { txResponse: { txhash, code, codespace, data: upperHex(data), rawLog: log } } };
});

/** True if an encoded message has a field with this number, even if empty. */
function hasField(message: Uint8Array, number: number): boolean {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === number) return true;
    reader.skip(wireType, field);
  }
  return false;
}
