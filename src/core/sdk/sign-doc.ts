import { create, toBinary } from '@bufbuild/protobuf';
import { SignDocSchema } from '../proto/cosmos/tx/v1beta1/tx_pb.js';

/**
 * Sign bytes of SIGN_MODE_DIRECT (cosmos-sdk v0.53 `x/tx/signing/direct/direct.go`): the exact body and auth info,
 * chain id and account number.
 */
export function directSignBytes(
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  chainId: string,
  accountNumber: bigint,
): Uint8Array {
  return toBinary(SignDocSchema, create(SignDocSchema, { bodyBytes, authInfoBytes, chainId, accountNumber }));
}
