import { fromBinary, getOption, type Registry } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { scalar } from '../../../proto/cosmos_proto/cosmos_pb.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import { typeNameOf } from '../../../sdk/codec/any.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import { type SignerText, signerTexts } from '../../../sdk/signing/signer-texts.js';
import type { SignedTx } from '../../../sdk/module/tx.js';

/**
 * Account that may not sign in SIGN_MODE_DIRECT_AUX: the fee's payer, as written there, or the first signer of the
 * first message. The mode reads that signer from the message's signer fields as bech32 only, even if the message has
 * a custom rule (cosmossdk.io/x/tx v0.14 `signing/directaux/direct_aux.go`, cosmos-sdk v0.53 `x/auth/tx/config.go`
 * NewDefaultSigningOptions). Undefined when it cannot be read: the mode is then unusable.
 */
export function auxPayer(
  { body, authInfo }: Pick<SignedTx, 'body' | 'authInfo'>,
  types: Registry,
  bech32Prefix: string,
): string | undefined {
  const { payer = '' } = authInfo.fee ?? {};
  if (payer !== '') return payer;
  const [first] = body.messages;
  const schema = first && types.getMessage(typeNameOf(first));
  if (first === undefined || schema === undefined) return undefined;
  const named = signerTexts(reflect(schema, fromBinary(schema, first.value)));
  const signers = named.map((signer) => addressOf(signer, bech32Prefix));
  if (signers.length === 0 || signers.includes(undefined)) return undefined;
  return signers[0] && encodeAddress(bech32Prefix, signers[0]);
}

/** Address bytes of a signer; undefined when it is not an address. */
function addressOf({ field, text }: SignerText, prefix: string): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const isOperator = getOption(field, scalar) === 'cosmos.ValidatorAddressString';
  const read = readBech32Address(isOperator ? `${prefix}valoper` : prefix, text);
  return read.ok ? read.bytes : undefined;
}
