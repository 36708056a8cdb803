import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { nullable } from '../../proto/gogoproto/gogo_pb.js';

const known = new WeakMap<DescField, boolean>();

/**
 * True when Go holds the field by pointer, false when by value (`gogoproto/gogo.proto`). Cached, because the library
 * builds descriptors of all options of a field at each access.
 */
export function isNullable(field: DescField): boolean {
  const kept = known.get(field);
  if (kept !== undefined) return kept;
  const read = !hasOption(field, nullable) || getOption(field, nullable);
  known.set(field, read);
  return read;
}
