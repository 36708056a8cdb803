import { type DescField, type DescMessage, getOption, hasOption, ScalarType } from '@bufbuild/protobuf';
import { invariant } from '../../core/errors.js';
import { scalar } from '../../core/proto/cosmos_proto/cosmos_pb.js';
import { wholeNumber } from './whole-number.js';

/** The arguments of a command, converted for message fields. */
export interface TypedArguments {
  /** The argument as typed; empty when left out. */
  readonly text: (index: number) => string;
  /** The argument as an address of the chain: a key's name, bech32 or 0x. */
  readonly address: (index: number) => Promise<string>;
  /** The argument as a validator operator address: given as such, or as its account in any form. */
  readonly operator: (index: number) => Promise<string>;
}

/** Argument names of a command line: `delegator` and `validator` for `<delegator> <validator>`. */
export function argumentNames(line: string): readonly string[] {
  return Array.from(line.matchAll(/[<[]([^\]>]+)[\]>]/g), ([, name = '']) => name);
}

/**
 * Reads the arguments as a message's fields in order, without deprecated ones; the descriptor tells which fields are
 * addresses (`cosmossdk.io/client/v2` v2.0.0-beta.7 `autocli/flag/builder.go`). Throws CommandError for a malformed
 * one.
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
