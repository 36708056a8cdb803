import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** `count` fields of number `field` that are empty. */
export function empties(field: number, count: number): Uint8Array {
  const writer = new BinaryWriter();
  for (let index = 0; index < count; index += 1) writer.tag(field, WireType.LengthDelimited).bytes(new Uint8Array());
  return writer.finish();
}
