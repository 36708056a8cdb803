import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { customtype } from '../../proto/gogoproto/gogo_pb.js';

const known = new WeakMap<DescField, { readonly name: string | undefined }>();

/**
 * Go type of a field from `gogoproto.customtype`; undefined without one. Cached, because the library decodes an
 * option at each access and a genesis has many fields.
 */
export function customTypeOf(field: DescField): string | undefined {
  const found = known.get(field);
  if (found !== undefined) return found.name;
  const name = hasOption(field, customtype) ? getOption(field, customtype) : undefined;
  known.set(field, { name });
  return name;
}
