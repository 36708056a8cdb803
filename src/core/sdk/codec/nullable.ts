import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { nullable } from '../../proto/gogoproto/gogo_pb.js';

const known = new WeakMap<DescField, boolean>();

/**
 * True when Go holds the field by a pointer, and false when it holds it in place (`gogoproto/gogo.proto`). The answer
 * is kept, because the library makes descriptors of all options of a field each time that one is read.
 */
export function isNullable(field: DescField): boolean {
  const kept = known.get(field);
  if (kept !== undefined) return kept;
  const read = !hasOption(field, nullable) || getOption(field, nullable);
  known.set(field, read);
  return read;
}
