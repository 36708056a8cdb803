import { createRegistry, type DescMessage, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { MsgMultiSendSchema, MsgSendSchema } from '../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema as EthPubKeySchema } from '../../core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { PubKeySchema } from '../../core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { AuthInfoSchema, ModeInfoSchema, TxBodySchema, TxRawSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';

const known = createRegistry(MsgSendSchema, MsgMultiSendSchema, MsgSoftwareUpgradeSchema, MsgCancelUpgradeSchema, EthPubKeySchema, PubKeySchema);

/** A transaction as the SDK prints it; messages of types that the command line does not know keep their bytes in base64. */
export function txJson(bytes: Uint8Array): JsonValue {
  const raw = fromBinary(TxRawSchema, bytes);
  const body = fromBinary(TxBodySchema, raw.bodyBytes);
  const authInfo = fromBinary(AuthInfoSchema, raw.authInfoBytes);
  return {
    '@type': '/cosmos.tx.v1beta1.Tx',
    body: {
      messages: body.messages.map(anyJson),
      memo: body.memo,
      timeout_height: body.timeoutHeight.toString(),
      extension_options: body.extensionOptions.map(anyJson),
      non_critical_extension_options: body.nonCriticalExtensionOptions.map(anyJson),
    },
    auth_info: {
      signer_infos: authInfo.signerInfos.map(({ publicKey, modeInfo, sequence }) => ({
        public_key: publicKey === undefined ? null : anyJson(publicKey),
        mode_info: modeInfo === undefined ? null : toJson(ModeInfoSchema, modeInfo, { useProtoFieldName: true }),
        sequence: sequence.toString(),
      })),
      fee: {
        amount: (authInfo.fee?.amount ?? []).map(({ denom, amount }) => ({ denom, amount })),
        gas_limit: (authInfo.fee?.gasLimit ?? 0n).toString(),
        payer: authInfo.fee?.payer ?? '',
        granter: authInfo.fee?.granter ?? '',
      },
    },
    signatures: raw.signatures.map((signature) => base64.encode(signature)),
  };
}

function anyJson(any: Any): JsonValue {
  const schema: DescMessage | undefined = known.getMessage(any.typeUrl.replace(/^.*\//, ''));
  if (schema === undefined) return { '@type': any.typeUrl, value: base64.encode(any.value) };
  const json = toJson(schema, fromBinary(schema, any.value), { useProtoFieldName: true, alwaysEmitImplicit: true });
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { '@type': any.typeUrl, ...json } : json;
}
