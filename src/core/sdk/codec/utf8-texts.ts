/**
 * Messages whose signers Go reads by reflection, which requires UTF-8: those without generated code of the protobuf
 * API v2 (github.com/cosmos/cosmos-proto v1.0.0-beta.5 `anyutil/any.go` Unpack). evmd v0.6.0 has such code for
 * packages of cosmossdk.io/api v0.9.2 and cosmos/evm's `api` that it imports: not for `cosmos.gov.v1beta1`, no module
 * of cosmos/evm but `vm` and `erc20`, and nothing of ibc-go.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { text } from '../../bytes/bytes.js';
import { plainError } from '../module/sdk-error.js';

const READ_BY_REFLECTION = /^(?:ibc|cosmos\.gov\.v1beta1|cosmos\.evm\.(?!(?:vm|erc20)\.)[a-z0-9]+)\./;

/** True for messages that Go reads by reflection. */
export const isReadByReflection = ({ typeName }: DescMessage): boolean => READ_BY_REFLECTION.test(typeName);

/** Throws a plain error for the first string of such a message that is not UTF-8. `bytes` is the encoded message. */
export function requireUtf8(schema: DescMessage, bytes: Uint8Array): void {
  const field = isReadByReflection(schema) ? fieldOutsideUtf8(schema, bytes) : undefined;
  if (field !== undefined)
    throw plainError(`cannot unmarshal msg /${schema.typeName}: proto: field ${field} contains invalid UTF-8`);
}

/** Full name of the first string field that is not UTF-8. The content of an `Any` is not checked. */
export function fieldOutsideUtf8(schema: DescMessage, bytes: Uint8Array): string | undefined {
  for (const reader = new BinaryReader(bytes); reader.pos < reader.len;) {
    const [number, wireType] = reader.tag();
    const field = schema.fields.find((each) => each.number === number);
    if (field?.message !== undefined) {
      const found = fieldOutsideUtf8(field.message, reader.bytes());
      if (found !== undefined) return found;
    } else if (field?.scalar === ScalarType.STRING) {
      if (!text(reader.bytes()).isWellFormed()) return `${schema.typeName}.${field.name}`;
    } else reader.skip(wireType, number);
  }
  return undefined;
}
