/**
 * Rejects fields that the message types do not define (cosmos-sdk v0.53 `codec/unknownproto/unknown_fields.go`).
 * Reads the encoded bytes, because a decoded message does not show how it was encoded.
 */
import { type DescField, type DescMessage, fromBinary, type Registry } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import { contentCheckOf } from './field-values.js';
import { isRefusedOption, missedInterface } from './interface-types.js';
import { MESSAGE_TYPES } from './message-types.js';
import { wireTypeOf } from './wire-type.js';

/** Bit 11 of a field number: the field is non-critical, so nodes may ignore it. */
const NON_CRITICAL = 1024;

/** Message types that an `Any` may contain on a chain (`MessageRouter`). */
export interface ChainTypes {
  readonly types: Registry;
  /** Aliases of the type URLs that `types` contains. */
  readonly typeUrlAliases: Readonly<Record<string, string>>;
  /** True when a module handles messages of this type. */
  knows(typeUrl: string): boolean;
}

export interface UnknownFieldRules {
  /** Rejects unknown types, and types that a field does not accept. Without a chain, all types are accepted. */
  readonly chain: ChainTypes | undefined;
  /** True: accept non-critical unknown fields (bit 11). */
  readonly nonCritical: boolean;
}

/** Thrown for an unknown field, a wrong wire type, or a type that the field does not accept. */
export class UnknownField extends Error {}

/**
 * Checks a message with all nested ones, including those in an `Any`. Returns whether it found unknown non-critical
 * fields. Throws UnknownField for critical ones, WrongNumber and WrongContent for invalid values, RangeError for too
 * deep nesting, and the protobuf reader's errors for malformed bytes.
 */
export function checkFields(schema: DescMessage, bytes: Uint8Array, rules: UnknownFieldRules, depth = 0): boolean {
  // Checked explicitly: the stack's capacity differs between processes, but block results must not.
  if (depth > CHAIN_LIMITS.messageDepth) throw new RangeError('messages are nested too deeply');
  const fields = fieldsOf(schema);
  const reader = new BinaryReader(bytes);
  let passed = false;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const known = fields.get(number);
    const field = known?.field;
    if (field === undefined) {
      if (!rules.nonCritical || (number & NON_CRITICAL) === 0) {
        throw new UnknownField(
          `errUnknownField "/${schema.typeName}": {TagNum: ${number}, WireType:"${WIRE_TYPES[wireType]}"}`,
        );
      }
      passed = true;
    } else if (!canBe(field, wireType)) {
      throw new UnknownField(`proto: wrong wireType = ${wireType} for field ${field.localName}`);
    }
    if (field === undefined || (known?.check === undefined && field.message === undefined)) {
      reader.skip(wireType, number);
      continue;
    }
    const content = reader.bytes();
    known?.check?.(content);
    if (field.message !== undefined && checkMessage(field, field.message, content, rules, depth + 1)) passed = true;
  }
  if (reader.pos > reader.len) throw new RangeError('a field ends behind its message');
  return passed;
}

function checkMessage(
  field: DescField,
  schema: DescMessage,
  bytes: Uint8Array,
  rules: UnknownFieldRules,
  depth: number,
): boolean {
  const passed = checkFields(schema, bytes, rules, depth);
  if (schema.typeName !== AnySchema.typeName) return passed;
  const { typeUrl, value } = fromBinary(AnySchema, bytes);
  const { chain } = rules;
  const known = chain?.typeUrlAliases[typeUrl] ?? typeUrl;
  const inner = known.lastIndexOf('/') === 0 ? (chain?.types ?? MESSAGE_TYPES).getMessage(known.slice(1)) : undefined;
  if (inner === undefined) {
    if (chain !== undefined && !isRefusedOption(field, known))
      throw new UnknownField(`unable to resolve type URL ${typeUrl}`);
    return passed;
  }
  const missed = chain && missedInterface(field, inner, chain.knows(known));
  if (missed !== undefined)
    throw new UnknownField(`no concrete type registered for type URL ${typeUrl} against interface ${missed}`);
  return checkFields(inner, value, rules, depth + 1) || passed;
}

const WIRE_TYPES: Readonly<Record<WireType, string>> = {
  0: 'varint',
  1: 'fixed64',
  2: 'bytes',
  3: 'start_group',
  4: 'end_group',
  5: 'fixed32',
};

interface KnownField {
  readonly field: DescField;
  readonly check: ReturnType<typeof contentCheckOf>;
}

const numbered = new WeakMap<DescMessage, ReadonlyMap<number, KnownField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, KnownField> {
  const known = numbered.get(schema);
  if (known !== undefined) return known;
  const fields = new Map(schema.fields.map((field) => [field.number, { field, check: contentCheckOf(field) }]));
  numbered.set(schema, fields);
  return fields;
}

/** True for the field's wire type, and for the packed form of repeated numbers. */
function canBe(field: DescField, wireType: WireType): boolean {
  const own = wireTypeOf(field);
  return wireType === own || (field.fieldKind === 'list' && wireType === WireType.LengthDelimited);
}
