import type { JsonObject, JsonValue, Registry } from '@bufbuild/protobuf';
import type { AuthInfo, TxBody } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import { aminoAny, type AminoJsonOptions, timestampText } from '../codec/amino-json.js';
import { utf8 } from '../../bytes/bytes.js';
import { canonicalNumber } from '../codec/message-numbers.js';
import { goJsonText } from '../go/go-json-text.js';

/** Chain and signer of a document; account fields are as before the transaction. */
export interface AminoSigner {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/**
 * Sign bytes of SIGN_MODE_LEGACY_AMINO_JSON (cosmos-sdk v0.53 `x/tx/signing/aminojson/aminojson.go`): the SDK's
 * StdSignDoc as JSON with sorted keys. Throws NoAminoForm.
 */
export function aminoSignBytes(
  body: TxBody,
  authInfo: Pick<AuthInfo, 'fee'>,
  signer: AminoSigner,
  registry: Registry,
): Uint8Array {
  const options: AminoJsonOptions = { names: 'amino', registry, utf8: 'by reflection' };
  return utf8(sortedJson(aminoSignDoc(body, authInfo, signer, options)));
}

/** The SDK's StdSignDoc as a JSON value. Throws NoAminoForm. */
export function aminoSignDoc(
  body: TxBody,
  { fee }: Pick<AuthInfo, 'fee'>,
  signer: AminoSigner,
  options: AminoJsonOptions,
): JsonObject {
  const { timeoutTimestamp: time } = body;
  return {
    account_number: signer.accountNumber.toString(),
    chain_id: signer.chainId,
    fee: {
      amount: (fee?.amount ?? []).map(({ denom, amount }) => ({ amount: canonicalNumber('integer', amount), denom })),
      gas: (fee?.gasLimit ?? 0n).toString(),
      ...(fee !== undefined && fee.granter !== '' && { granter: fee.granter }),
      ...(fee !== undefined && fee.payer !== '' && { payer: fee.payer }),
    },
    memo: body.memo,
    msgs: body.messages.map(({ typeUrl, value }) => aminoAny(typeUrl, value, options)),
    sequence: signer.sequence.toString(),
    ...(body.timeoutHeight > 0n && { timeout_height: body.timeoutHeight.toString() }),
    ...(time !== undefined && { timeout_timestamp: timestampText(time.seconds, time.nanos) }),
    ...(body.unordered && { unordered: true }),
  };
}

/** JSON text with sorted keys and Go's escapes. */
function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    let members = '';
    for (const name of Object.keys(value).toSorted()) {
      const part = value[name];
      if (part !== undefined) members += `${members === '' ? '' : ','}${goJsonText(name)}:${sortedJson(part)}`;
    }
    return `{${members}}`;
  }
  return typeof value === 'string' ? goJsonText(value) : JSON.stringify(value);
}
