/** Does the same as `grpcurl -plaintext -d json address Service/Method`: it knows the services only from reflection. */
import {
  create,
  createFileRegistry,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
  type FileRegistry,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { Client, credentials } from '@grpc/grpc-js';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
  type ServerReflectionResponse,
} from '../../src/core/proto/grpc/reflection/v1/reflection_pb.js';
import { encode } from '../support/encode.js';

const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const bytesOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const asIs = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);

/** Words after `grpcurl`; answers the response as JSON, or the error's code and message as grpcurl writes them. */
export async function grpcurl(words: readonly string[]): Promise<string> {
  const [plaintext, option, data = '', address = '', symbol = '', ...more] = words;
  if (plaintext !== '-plaintext' || option !== '-d' || more.length > 0)
    throw new Error(`grpcurl ${words.join(' ')}: not known here`);
  const [service = '', name = ''] = symbol.split('/');
  const client = new Client(address, credentials.createInsecure());
  try {
    const registry = await describe(client, service);
    const method = registry.getService(service)?.methods.find((one) => one.name === name);
    if (method === undefined) return `service ${service} has no method ${name}`;
    const request = toBinary(method.input, fromJson(method.input, JSON.parse(data), { registry }));
    const response = await new Promise<Uint8Array | string>((resolve) => {
      client.makeUnaryRequest(`/${symbol}`, bytesOf, asIs, request, (error, answer) =>
        resolve(answer ?? `ERROR: ${error?.code} ${error?.details}`),
      );
    });
    return typeof response === 'string'
      ? response
      : JSON.stringify(toJson(method.output, fromBinary(method.output, response), { registry }), undefined, 2);
  } finally {
    client.close();
  }
}

/** The file that defines a symbol and all that it imports, asked for by one stream. */
async function describe(client: Client, symbol: string): Promise<FileRegistry> {
  const stream = client.makeBidiStreamRequest(REFLECTION, bytesOf, asIs);
  const answers = stream[Symbol.asyncIterator]();
  const ask = async (messageRequest: {
    readonly case: 'fileContainingSymbol' | 'fileByFilename';
    readonly value: string;
  }): Promise<readonly FileDescriptorProto[]> => {
    stream.write(encode(ServerReflectionRequestSchema, { messageRequest }));
    const { value }: IteratorResult<Uint8Array> = await answers.next();
    return filesOf(fromBinary(ServerReflectionResponseSchema, value));
  };
  const files = new Map<string, FileDescriptorProto>();
  const add = (found: readonly FileDescriptorProto[]): void => found.forEach((file) => files.set(file.name, file));
  add(await ask({ case: 'fileContainingSymbol', value: symbol }));
  for (const [, { dependency }] of files) {
    for (const value of dependency) if (!files.has(value)) add(await ask({ case: 'fileByFilename', value }));
  }
  stream.end();
  const [root = ''] = files.keys();
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...importsFirst(root, files, new Set())] }));
}

/** A file after everything that it imports, each once. */
function* importsFirst(
  name: string,
  files: ReadonlyMap<string, FileDescriptorProto>,
  seen: Set<string>,
): Generator<FileDescriptorProto> {
  const file = files.get(name);
  if (file === undefined || seen.has(name)) return;
  seen.add(name);
  for (const imported of file.dependency) yield* importsFirst(imported, files, seen);
  yield file;
}

function filesOf({ messageResponse }: ServerReflectionResponse): readonly FileDescriptorProto[] {
  if (messageResponse.case !== 'fileDescriptorResponse') throw new Error(`reflection answered ${messageResponse.case}`);
  return messageResponse.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}
