import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type {
  TxDecodeAminoRequest,
  TxDecodeAminoResponseSchema,
  TxDecodeRequest,
  TxDecodeResponseSchema,
  TxEncodeAminoRequest,
  TxEncodeAminoResponseSchema,
  TxEncodeRequest,
  TxEncodeResponseSchema,
} from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { hasMoreParts } from '../../../core/sdk/codec/message-parts.js';
import { AuthInfoSchema, type Tx, TxBodySchema, TxRawSchema } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CallContext, Reply } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';
import type { StdTxCodec } from './amino/std-tx.js';
import { readTx } from './tx-response.js';

/** A transaction's bytes as a message. */
export function txDecode(
  { txBytes }: TxDecodeRequest,
  { limits: { messageParts: maximum } }: Pick<CallContext, 'limits'>,
): Reply<MessageInitShape<typeof TxDecodeResponseSchema>> {
  if (txBytes.length === 0) return refusal(STATUS.invalidArgument, 'invalid empty tx bytes');
  if (hasMoreParts(TxRawSchema, txBytes, maximum))
    return refusalOf({ code: 'limit-exceeded', limit: 'messageParts', maximum });
  const read = readTx(txBytes);
  return read.ok ? { ok: true, value: { tx: read.tx } } : read;
}

/** A transaction's message as bytes. */
export function txEncode({ tx }: TxEncodeRequest): Reply<MessageInitShape<typeof TxEncodeResponseSchema>> {
  return tx === undefined
    ? refusal(STATUS.invalidArgument, 'invalid empty tx')
    : { ok: true, value: { txBytes: rawTx(tx) } };
}

/** The bytes to broadcast for a decoded transaction; absent parts are empty messages. */
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

/** Amino JSON of a StdTx to Amino binary. */
export function txEncodeAmino(
  codec: StdTxCodec,
  { aminoJson }: TxEncodeAminoRequest,
  { limits }: Pick<CallContext, 'limits'>,
): Reply<MessageInitShape<typeof TxEncodeAminoResponseSchema>> {
  if (aminoJson === '') return refusal(STATUS.invalidArgument, 'invalid empty tx json');
  const coded = codec.encode(aminoJson, limits.messageParts);
  return coded.ok ? { ok: true, value: { aminoBinary: coded.value } } : refusal(STATUS.unknown, coded.message);
}

/** Amino binary of a StdTx to Amino JSON. */
export function txDecodeAmino(
  codec: StdTxCodec,
  { aminoBinary }: TxDecodeAminoRequest,
  { limits }: Pick<CallContext, 'limits'>,
): Reply<MessageInitShape<typeof TxDecodeAminoResponseSchema>> {
  if (aminoBinary.length === 0) return refusal(STATUS.invalidArgument, 'invalid empty tx bytes');
  const coded = codec.decode(aminoBinary, limits.messageParts);
  return coded.ok ? { ok: true, value: { aminoJson: coded.value } } : refusal(STATUS.unknown, coded.message);
}
