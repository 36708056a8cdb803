import { create, toBinary } from '@bufbuild/protobuf';
import { Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { hasMoreParts } from '../../../core/sdk/codec/message-parts.js';
import { AuthInfoSchema, type Tx, TxBodySchema, TxRawSchema } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { type NodeMethod, unary } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';
import type { StdTxCodec } from './amino/std-tx.js';
import { readTx } from './tx-response.js';

const { method } = Service;

/** TxDecode: decodes transaction bytes. */
export const txDecode = unary(method.txDecode, ({ txBytes }, { limits: { messageParts: maximum } }) => {
  if (txBytes.length === 0) return refusal(STATUS.invalidArgument, 'invalid empty tx bytes');
  if (hasMoreParts(TxRawSchema, txBytes, maximum))
    return refusalOf({ code: 'limit-exceeded', limit: 'messageParts', maximum });
  const read = readTx(txBytes);
  return read.ok ? { ok: true, value: { tx: read.tx } } : read;
});

/** TxEncode: encodes a transaction. */
export const txEncode = unary(method.txEncode, ({ tx }) =>
  tx === undefined ? refusal(STATUS.invalidArgument, 'invalid empty tx') : { ok: true, value: { txBytes: rawTx(tx) } },
);

/** Encodes a decoded transaction as TxRaw; absent parts are empty messages. */
export function rawTx({ body, authInfo, signatures }: Tx): Uint8Array {
  return toBinary(
    TxRawSchema,
    create(TxRawSchema, {
      bodyBytes: toBinary(TxBodySchema, body ?? create(TxBodySchema)),
      authInfoBytes: toBinary(AuthInfoSchema, authInfo ?? create(AuthInfoSchema)),
      signatures,
    }),
  );
}

/** TxEncodeAmino: converts Amino JSON of a StdTx to Amino binary. */
export function txEncodeAmino(codec: StdTxCodec): NodeMethod {
  return unary(method.txEncodeAmino, ({ aminoJson }, { limits }) => {
    if (aminoJson === '') return refusal(STATUS.invalidArgument, 'invalid empty tx json');
    const coded = codec.encode(aminoJson, limits.messageParts);
    return coded.ok ? { ok: true, value: { aminoBinary: coded.value } } : refusal(STATUS.unknown, coded.message);
  });
}

/** TxDecodeAmino: converts Amino binary of a StdTx to Amino JSON. */
export function txDecodeAmino(codec: StdTxCodec): NodeMethod {
  return unary(method.txDecodeAmino, ({ aminoBinary }, { limits }) => {
    if (aminoBinary.length === 0) return refusal(STATUS.invalidArgument, 'invalid empty tx bytes');
    const coded = codec.decode(aminoBinary, limits.messageParts);
    return coded.ok ? { ok: true, value: { aminoJson: coded.value } } : refusal(STATUS.unknown, coded.message);
  });
}
