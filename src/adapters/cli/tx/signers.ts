import { getOption } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Tx } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { signer } from '../../../core/proto/cosmos/msg/v1/msg_pb.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { decodeAny } from './signatures.js';

/**
 * The required signers of a transaction, in order: the signer fields of its messages (`cosmos.msg.v1.signer`), then the
 * fee payer.
 */
export function signersOf({ body, authInfo }: Tx): readonly string[] {
  const named = (body?.messages ?? []).flatMap((any) => {
    const known = decodeAny(any);
    if (known === undefined) throw new CommandError(EXIT.usage, `unable to resolve type URL ${any.typeUrl}`);
    return signersOfMessage(reflect(known.schema, known.message));
  });
  const payer = authInfo?.fee?.payer ?? '';
  return [...new Set([...named, ...(payer === '' ? [] : [payer])])];
}

function signersOfMessage(message: ReflectMessage): readonly string[] {
  return getOption(message.desc, signer).flatMap((name) => {
    const field = message.desc.fields.find((one) => one.name === name);
    if (field === undefined) return [];
    const value: unknown = message.get(field);
    if (typeof value === 'string') return [value];
    const parts: readonly unknown[] = field.fieldKind === 'list' ? [...message.get(field)] : [value];
    return parts.flatMap((part) => (isMessage(part) ? signersOfMessage(part) : []));
  });
}

function isMessage(value: unknown): value is ReflectMessage {
  return typeof value === 'object' && value !== null && 'desc' in value;
}
