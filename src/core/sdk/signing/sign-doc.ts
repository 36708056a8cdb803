import { create, toBinary } from '@bufbuild/protobuf';
import { SignDocDirectAuxSchema, SignDocSchema } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { SigningFacts } from './signing-facts.js';

/**
 * Sign bytes of SIGN_MODE_DIRECT (cosmos-sdk v0.53 `x/tx/signing/direct/direct.go`): exact body and auth info, chain
 * id and account number.
 */
export function directSignBytes(
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  chainId: string,
  accountNumber: bigint,
): Uint8Array {
  return toBinary(SignDocSchema, create(SignDocSchema, { bodyBytes, authInfoBytes, chainId, accountNumber }));
}

/**
 * Sign bytes of SIGN_MODE_DIRECT_AUX (cosmos-sdk v0.53 `x/tx/signing/directaux/direct_aux.go`). They do not cover the
 * fee, so the fee payer cannot use this mode.
 */
export function directAuxSignBytes(
  bodyBytes: Uint8Array,
  { publicKey, chainId, accountNumber, sequence }: SigningFacts,
): Uint8Array {
  return toBinary(
    SignDocDirectAuxSchema,
    create(SignDocDirectAuxSchema, { bodyBytes, publicKey, chainId, accountNumber, sequence }),
  );
}
