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

/** Codec of a method's messages; handlers get bytes or decoded messages, depending on it. */
export interface Codec<In, Out> {
  readonly requestSerialize: (value: In) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => In;
  readonly responseSerialize: (value: Out) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Out;
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A codec that passes encoded bytes. */
export const RAW: Codec<Uint8Array, Uint8Array> = {
  requestSerialize: toBuffer,
  requestDeserialize: (bytes) => bytes,
  responseSerialize: toBuffer,
  responseDeserialize: (bytes) => bytes,
};

/** A codec for the messages of two schemas; grpc-js rejects a request that does not decode. */
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

/** Decodes a message. The error text is constant, because the decoder's text is of no use to clients. */
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
