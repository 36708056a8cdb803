import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { customtype } from '../../proto/gogoproto/gogo_pb.js';

const known = new WeakMap<DescField, { readonly name: string | undefined }>();

/**
 * The Go type that holds a field in place of the one of protobuf (`gogoproto.customtype`); undefined where there is
 * none. The library reads an option from its bytes each time, and a genesis asks for many fields.
 */
export function customTypeOf(field: DescField): string | undefined {
  const found = known.get(field);
  if (found !== undefined) return found.name;
  const name = hasOption(field, customtype) ? getOption(field, customtype) : undefined;
  known.set(field, { name });
  return name;
}
