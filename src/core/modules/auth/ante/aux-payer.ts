import { type DescField, type DescMessage, fromBinary, getOption, type Registry } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { signer as signerNames } from '../../../proto/cosmos/msg/v1/msg_pb.js';
import { scalar } from '../../../proto/cosmos_proto/cosmos_pb.js';
import { encodeAddress } from '../../../sdk/address.js';
import { readBech32Address } from '../../../sdk/bech32-address.js';
import type { Tx } from '../../../sdk/tx.js';

/**
 * The account that cannot sign in SIGN_MODE_DIRECT_AUX: the payer in the fee, in the letters that it has there, or the
 * first signer of the first message, whose signers the mode reads by their fields as bech32 alone, also where the
 * message has another rule (cosmossdk.io/x/tx v0.14 `signing/directaux/direct_aux.go`, cosmos-sdk v0.53
 * `x/auth/tx/config.go` NewDefaultSigningOptions). Undefined where these cannot be read: then nobody signs so.
 */
export function auxPayer({ body, authInfo }: Tx, types: Registry, bech32Prefix: string): string | undefined {
  const { payer = '' } = authInfo.fee ?? {};
  if (payer !== '') return payer;
  const [first] = body.messages;
  const schema = first && types.getMessage(first.typeUrl.slice(first.typeUrl.lastIndexOf('/') + 1));
  if (first === undefined || schema === undefined) return undefined;
  const signers = signersOf(reflect(schema, fromBinary(schema, first.value)), bech32Prefix);
  if (signers.length === 0 || signers.includes(undefined)) return undefined;
  return signers[0] && encodeAddress(bech32Prefix, signers[0]);
}

/** Signers by the options of the messages; undefined for each that is no address. */
function signersOf(message: ReflectMessage, prefix: string): readonly (Uint8Array | undefined)[] {
  return getOption(message.desc, signerNames)
    .map((name) => fieldOf(message.desc, name))
    .flatMap((field) => partsOf(message, field).flatMap((part) => signersOfPart(part, field, prefix)));
}

function fieldOf({ fields }: DescMessage, name: string): DescField | undefined {
  return fields.find((field) => field.name === name);
}

function partsOf(message: ReflectMessage, field: DescField | undefined): readonly unknown[] {
  if (field === undefined) return [undefined];
  return field.fieldKind === 'list' ? [...message.get(field)] : [message.get(field)];
}

function signersOfPart(
  part: unknown,
  field: DescField | undefined,
  prefix: string,
): readonly (Uint8Array | undefined)[] {
  if (field?.message !== undefined) return signersOf(part as ReflectMessage, prefix);
  if (field === undefined || typeof part !== 'string') return [undefined];
  const isOperator = getOption(field, scalar) === 'cosmos.ValidatorAddressString';
  const read = readBech32Address(isOperator ? `${prefix}valoper` : prefix, part);
  return [read.ok ? read.bytes : undefined];
}
