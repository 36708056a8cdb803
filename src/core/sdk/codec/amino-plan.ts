import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import {
  dont_omitempty,
  encoding as list_encoding,
  field_name,
  message_encoding,
  name as amino_name,
  oneof_name,
} from '../../proto/amino/amino_pb.js';
import { scalar } from '../../proto/cosmos_proto/cosmos_pb.js';
import { castrepeated, casttype, jsontag } from '../../proto/gogoproto/gogo_pb.js';
import { isNumber } from './complete-message.js';
import { isNullable } from './nullable.js';

/** Options of a field that affect its amino JSON. */
export interface FieldPlan {
  readonly field: DescField;
  readonly name: string;
  readonly keptEmpty: boolean;
  /** True when the field's Go tag has no `omitempty`. */
  readonly keptInGo: boolean;
  /** True for a Go list of coins, which is never null. */
  readonly isGoCoins: boolean;
  /** True for bytes that Go writes in hexadecimal. */
  readonly isGoHex: boolean;
  /** True for an SDK `LegacyDec` that Go embeds by value. */
  readonly isGoDecimal: boolean;
  /** For a member of a oneof: the shared name and the member's type. */
  readonly oneof: { readonly name: string; readonly type: string } | undefined;
  /**
   * True when an empty list of this field is `null` (`cosmossdk.io/x/tx` v0.14.0
   * `signing/aminojson/json_marshal.go`).
   */
  readonly isNull: boolean;
  /** `cosmos_proto.scalar` of a string, for example `cosmos.Int`. */
  readonly meaning: string;
}

/** Options of a message that affect its amino JSON. */
export interface MessagePlan {
  readonly aminoName: string;
  readonly encoding: string;
  readonly fields: readonly FieldPlan[];
}

/** Cached by message type, because the library decodes options at each access, which dominates the cost. */
const plans = new WeakMap<DescMessage, MessagePlan>();

/** Reads the options of a message type once. */
export function planOf(desc: DescMessage): MessagePlan {
  const known = plans.get(desc);
  if (known !== undefined) return known;
  const plan = {
    aminoName: getOption(desc, amino_name),
    encoding: getOption(desc, message_encoding),
    fields: desc.fields.map((field) => ({
      field,
      name: getOption(field, field_name) || field.name,
      keptEmpty: getOption(field, dont_omitempty),
      keptInGo: isKeptInGo(field),
      isGoCoins: getOption(field, castrepeated).endsWith('Coins'),
      isGoHex: getOption(field, casttype).endsWith('.HexBytes'),
      isGoDecimal: isNumber(field, 'decimal'),
      oneof: oneofOf(field),
      isNull: field.fieldKind === 'list' && getOption(field, list_encoding) !== 'legacy_coins',
      meaning: hasOption(field, scalar) ? getOption(field, scalar) : '',
    })),
  };
  plans.set(desc, plan);
  return plan;
}

/** gogoproto omits `omitempty` for custom tags and for embedded messages. */
function isKeptInGo(field: DescField): boolean {
  if (hasOption(field, jsontag)) return !getOption(field, jsontag).includes('omitempty');
  return field.fieldKind === 'list' && field.listKind === 'message' && !isNullable(field);
}

function oneofOf(field: DescField): FieldPlan['oneof'] {
  if (field.oneof === undefined || !hasOption(field, oneof_name)) return undefined;
  const words = field.oneof.name.split('_').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return { name: words.join(''), type: getOption(field, oneof_name) };
}
