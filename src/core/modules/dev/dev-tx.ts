import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';

/** Encodes a transaction with one message of this module. It uses no block gas. */
export function devTx(typeUrl: string, value: Uint8Array): Uint8Array {
  const body = create(TxBodySchema, { messages: [create(AnySchema, { typeUrl, value })] });
  const authInfo = create(AuthInfoSchema, { fee: {} });
  return toBinary(
    TxRawSchema,
    create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, body), authInfoBytes: toBinary(AuthInfoSchema, authInfo) }),
  );
}
