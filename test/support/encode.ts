import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';

/** The bytes of a message with these fields. */
export const encode = <Desc extends DescMessage>(schema: Desc, fields?: MessageInitShape<Desc>): Uint8Array =>
  toBinary(schema, create(schema, fields));
