/**
 * Adds fields that gogoproto declares non-nullable: Go writes them even when empty
 * (`docs/decisions/0002-protobuf.md`), so messages that Go re-encodes, into its state or a response, contain them.
 */
import { type DescField, type DescMessage, getOption, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { GO_ZERO_TIME, toTimestamp } from '../../comet/time.js';
import { utf8 } from '../../bytes/bytes.js';
import { customtype } from '../../proto/gogoproto/gogo_pb.js';
import { isNullable } from './nullable.js';

const TYPES = { integer: 'cosmossdk.io/math.Int', decimal: 'cosmossdk.io/math.LegacyDec' } as const;

/**
 * Adds to `message` the fields that Go would write; leaves the content of an `Any` as it is. `numbers` means integers
 * and decimals.
 */
export function complete<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  added: 'numbers' | 'integers' = 'numbers',
): MessageShape<Desc> {
  fill(reflect(schema, message), added);
  return message;
}

function fill(message: ReflectMessage, added: 'numbers' | 'integers'): void {
  for (const field of message.fields) {
    if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const item of message.get(field)) if (isReflectMessage(item)) fill(item, added);
    } else if (field.fieldKind === 'message') {
      const isAbsent = !message.isSet(field);
      if (isAbsent && isNullable(field)) continue;
      if (isAbsent) message.set(field, empty(field.message));
      fill(message.get(field), added);
    } else if (field.fieldKind === 'scalar' && isAdded(field, added) && !message.isSet(field)) {
      message.set(field, field.scalar === ScalarType.BYTES ? utf8('0') : '0');
    }
  }
}

function empty(schema: DescMessage): ReflectMessage {
  if (schema.typeName !== 'google.protobuf.Timestamp') return reflect(schema);
  return reflect(schema, toTimestamp(GO_ZERO_TIME));
}

const isAdded = (field: DescField, added: 'numbers' | 'integers'): boolean =>
  isNumber(field, 'integer') || (added === 'numbers' && isNumber(field, 'decimal'));

/** True for fields of the SDK's integers or decimals, which are `0` when absent. */
export function isNumber(field: DescField, kind: keyof typeof TYPES): boolean {
  return !isNullable(field) && getOption(field, customtype) === TYPES[kind];
}
