import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { PlainField } from '../../descriptors/field.js';
import { customtype } from '../../proto/gogoproto/gogo_pb.js';

/** Number of `gogoproto.customtype` among the options of a field (`gogoproto/gogo.proto`). */
export const CUSTOM_TYPE = 65_003;

const known = new WeakMap<DescField, { readonly name: string | undefined }>();

/**
 * The Go type that holds a field in place of the one of protobuf (`gogoproto.customtype`); undefined where there is
 * none. A genesis asks for many fields: where the bytes are at hand it is read from them, because the library would
 * make descriptors of all options first.
 */
export function customTypeOf(field: DescField): string | undefined {
  const found = known.get(field);
  if (found !== undefined) return found.name;
  const name = field instanceof PlainField ? field.textOption(CUSTOM_TYPE) : optionOf(field);
  known.set(field, { name });
  return name;
}

function optionOf(field: DescField): string | undefined {
  return hasOption(field, customtype) ? getOption(field, customtype) : undefined;
}
