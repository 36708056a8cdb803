import { create, fromBinary } from '@bufbuild/protobuf';
import type { SimpleKey } from '../../core/sdk/signing/account-key.js';
import { type MemberSignature } from '../../core/keys/multisign.js';
import { parsePublicKeyJson } from '../../core/sdk/signing/account-key.js';
import { publicKeyAny, SIGN_MODES, type SigningMode, signingModeOf } from '../../core/keys/tx-signing.js';
import {
  SignatureDescriptorSchema,
  SignatureDescriptorsSchema,
} from '../../core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import type { Any } from '@bufbuild/protobuf/wkt';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { knownUrl, NAMED_TYPES } from '../../adapters/rest/json/named-types.js';
import { protoFromJson } from '../values/proto-from-json.js';
import { anyJson, protoJson } from '../../adapters/rest/json/proto-json.js';
import { parseJson } from '../values/tx-json.js';
import { typeNameOf } from '../../core/sdk/codec/any.js';

/** JSON of one signature, as `--signature-only` prints it. */
export function signatureJson(key: SimpleKey, mode: SigningMode, signature: Uint8Array, sequence: bigint): string {
  const descriptor = create(SignatureDescriptorSchema, {
    publicKey: publicKeyAny(key),
    sequence,
    data: { sum: { case: 'single', value: { mode: SIGN_MODES[mode], signature } } },
  });
  return JSON.stringify(
    protoJson(SignatureDescriptorsSchema, create(SignatureDescriptorsSchema, { signatures: [descriptor] })),
  );
}

/** Parses a file of `--signature-only` outputs, one document per line. */
export function parseSignatures(text: string, file: string): readonly (readonly MemberSignature[])[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      protoFromJson(SignatureDescriptorsSchema, parseJson(line, file), file).signatures.map(({ publicKey, data }) => {
        const key = publicKey === undefined ? undefined : simpleKeyOf(publicKey);
        const single = data?.sum.case === 'single' ? data.sum.value : undefined;
        if (key === undefined || single === undefined)
          throw new CommandError(EXIT.usage, `${file}: a signature of one key is expected`);
        return { key, mode: signingModeOf(single.mode), signature: single.signature };
      }),
    );
}

/** Decodes a single key from an `Any`; undefined for a multisig key or another type. */
function simpleKeyOf(any: Any): SimpleKey | undefined {
  const key = accountKeyOf(any);
  return key === undefined || key.kind === 'multisig' ? undefined : key;
}

/** Decodes an account key from an `Any`. */
export function accountKeyOf(any: Any) {
  return parsePublicKeyJson(anyJson(knownUrl(any.typeUrl), any.value));
}

/** Decodes a message; undefined for an unknown type. */
export function decodeAny({ typeUrl, value }: Any) {
  const schema = NAMED_TYPES.getMessage(typeNameOf({ typeUrl }));
  return schema === undefined ? undefined : { schema, message: fromBinary(schema, value) };
}
