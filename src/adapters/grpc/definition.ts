/** Converts descriptors into the definitions that grpc-js registers. */
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { pathOf } from '../services/index.js';

export interface RegisteredService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** Encoding of one method's messages; handlers get bytes or messages, depending on the codec. */
export interface Codec<In, Out> {
  readonly requestSerialize: (value: In) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => In;
  readonly responseSerialize: (value: Out) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Out;
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Messages that stay encoded. */
export const RAW: Codec<Uint8Array, Uint8Array> = {
  requestSerialize: toBuffer,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: toBuffer,
  responseDeserialize: (bytes) => bytes,
};

/** Messages of two schemas; grpc-js refuses a request whose bytes do not decode. */
export function codecOf<In extends DescMessage, Out extends DescMessage>(
  input: In,
  output: Out,
): Codec<MessageShape<In>, MessageInitShape<Out>> {
  return {
    requestSerialize: (value) => toBuffer(toBinary(input, value)),
    requestDeserialize: (bytes) => decode(input, bytes),
    responseSerialize: (value) => toBuffer(toBinary(output, create(output, value))),
    responseDeserialize: (bytes) => create(output, decode(output, bytes)),
  };
}

/** Decodes a message; the error text is fixed, because the decoder's own text is of no use to a client. */
function decode<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes);
  } catch {
    throw new Error(`cannot decode ${schema.typeName}`);
  }
}

/** Path and kind of a method. */
export function routeOf(desc: DescMethod): {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
} {
  return {
    path: pathOf(desc),
    requestStream: desc.methodKind === 'client_streaming' || desc.methodKind === 'bidi_streaming',
    responseStream: desc.methodKind === 'server_streaming' || desc.methodKind === 'bidi_streaming',
  };
}
