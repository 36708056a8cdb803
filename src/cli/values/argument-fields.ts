import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from '@bufbuild/protobuf';
import { invariant } from '../../core/errors.js';
import { scalar } from '../../core/proto/cosmos_proto/cosmos_pb.js';
import { wholeNumber } from './whole-number.js';

/** The arguments of a command, in the forms that fields have. */
export interface TypedArguments {
  /** The argument as typed; empty when left out. */
  readonly text: (index: number) => string;
  /** The argument as an address of the chain: a key's name, bech32 or 0x. */
  readonly address: (index: number) => Promise<string>;
  /** The argument as the address of a validator's operator: that, or its account in any form. */
  readonly operator: (index: number) => Promise<string>;
}

/** The names of the arguments in a command's line: `delegator` and `validator` of `<delegator> <validator>`. */
export function argumentNames(line: string): readonly string[] {
  return Array.from(line.matchAll(/[<[]([^\]>]+)[\]>]/g), ([, name = '']) => name);
}

/**
 * Reads the arguments as the fields of a message that are not deprecated, in their order; the descriptor says which
 * texts are addresses (`cosmossdk.io/client/v2` v2.0.0-beta.7 `autocli/flag/builder.go`). Throws CommandError for a
 * malformed one.
 */
export async function readArguments(
  schema: DescMessage,
  names: readonly string[],
  input: TypedArguments,
): Promise<Readonly<Record<string, unknown>>> {
  const fields = schema.fields.filter(({ deprecated }) => !deprecated);
  const values: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const field = fields[index];
    invariant(field?.fieldKind === 'scalar', `the argument ${name} is a field`);
    values[field.localName] = await valueOf(field, name, index, input);
  }
  return values;
}

function valueOf(
  field: DescField & { readonly fieldKind: 'scalar' },
  name: string,
  index: number,
  { text, address, operator }: TypedArguments,
): Promise<string> | string | bigint {
  if (field.scalar !== ScalarType.STRING) return wholeNumber(text(index), name);
  const form = hasOption(field, scalar) ? getOption(field, scalar) : '';
  if (form === 'cosmos.AddressString') return address(index);
  return form === 'cosmos.ValidatorAddressString' ? operator(index) : text(index);
}
