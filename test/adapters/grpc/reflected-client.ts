/** A gRPC client that knows the services only from server reflection, as grpcurl does. */
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  create,
  createFileRegistry,
  createMutableRegistry,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

export interface RawAnswer {
  readonly value?: Buffer;
  readonly error?: ServiceError;
  /** Header metadata. */
  readonly header: Metadata;
}

const identity = (bytes: Buffer): Buffer => bytes;

/** One unary call with encoded bytes. */
export function rawCall(
  client: Client,
  path: string,
  request: Uint8Array,
  metadata: Readonly<Record<string, string>> = {},
  options: { readonly deadline?: number } = {},
): Promise<RawAnswer> {
  const headers = new Metadata();
  for (const [name, value] of Object.entries(metadata)) headers.set(name, value);
  return new Promise((resolve) => {
    let header = new Metadata();
    const call = client.makeUnaryRequest(
      path,
      identity,
      identity,
      Buffer.from(request),
      headers,
      options,
      (error, value) => {
        resolve({ header, ...(error && { error }), ...(value && { value }) });
      },
    );
    call.on('metadata', (received: Metadata) => {
      header = received;
    });
  });
}

export function openClient(port: number): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
}

/**
 * Version of the reflection service, and the two requests and answers that are used of it, encoded by hand: the client
 * has no proto files.
 */
export class Reflected {
  readonly #stream;
  readonly #waiting: ((answer: Buffer) => void)[] = [];

  constructor(
    readonly client: Client,
    version: 'v1' | 'v1alpha',
  ) {
    this.#stream = client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      identity,
      identity,
    );
    this.#stream.on('data', (answer: Buffer) => this.#waiting.shift()?.(answer));
    this.#stream.on('error', (error: ServiceError) => {
      if (error.code !== status.CANCELLED) throw error;
    });
  }

  /** Names of all services. */
  async services(): Promise<readonly string[]> {
    const list = fieldsOf(await this.#ask(7, '')).get(6)?.[0] ?? Buffer.alloc(0);
    return (fieldsOf(list).get(1) ?? []).map((service) => fieldsOf(service).get(1)?.[0]?.toString() ?? '');
  }

  /** All files that a symbol needs; undefined when the server does not know it. */
  async files(symbol: string): Promise<FileRegistry | undefined> {
    const answer = fieldsOf(await this.#ask(4, symbol)).get(4)?.[0];
    if (answer === undefined) return undefined;
    const file = (fieldsOf(answer).get(1) ?? []).map((bytes): FileDescriptorProto =>
      fromBinary(FileDescriptorProtoSchema, bytes),
    );
    const byName = new Map(file.map((one) => [one.name, one]));
    const ordered: FileDescriptorProto[] = [];
    const add = (name: string): void => {
      const one = byName.get(name);
      if (one === undefined) return;
      byName.delete(name);
      for (const imported of one.dependency) add(imported);
      ordered.push(one);
    };
    for (const { name } of file) add(name);
    return createFileRegistry(create(FileDescriptorSetSchema, { file: ordered }));
  }

  async #ask(field: number, value: string): Promise<Buffer> {
    const text = Buffer.from(value);
    const answered = new Promise<Buffer>((resolve) => this.#waiting.push(resolve));
    this.#stream.write(Buffer.concat([Buffer.from([(field << 3) | 2, text.length]), text]));
    return answered;
  }

  close(): void {
    this.#stream.cancel();
  }
}

/** A client that calls methods by name with JSON, as a person does with grpcurl. */
export class JsonClient {
  readonly #registries = new Map<string, FileRegistry>();

  constructor(
    readonly client: Client,
    readonly version: 'v1' | 'v1alpha' = 'v1',
  ) {}

  async call(
    method: string,
    request: JsonValue,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly json?: JsonValue; readonly error?: ServiceError; readonly header: Metadata }> {
    const [service = '', name = ''] = method.split('/');
    const registry = await this.#registryOf(service);
    const desc = registry.getService(service)?.methods.find((one) => one.name === name);
    if (desc === undefined) throw new Error(`reflection does not know ${method}`);
    const answer = await rawCall(
      this.client,
      `/${method}`,
      toBinary(desc.input, fromJson(desc.input, request, { registry })),
      metadata,
    );
    if (answer.error !== undefined) return { error: answer.error, header: answer.header };
    const message = fromBinary(desc.output, answer.value ?? Buffer.alloc(0));
    // The type inside of an Any is requested when it occurs.
    const types = createMutableRegistry(registry);
    for (let rounds = 0; rounds < 20; rounds++) {
      try {
        return {
          json: toJson(desc.output, message, { registry: types, useProtoFieldName: true }),
          header: answer.header,
        };
      } catch (error) {
        const unknown =
          error instanceof Error ? /"\/?([\w.]+)" is not in the type registry/.exec(error.message)?.[1] : undefined;
        if (unknown === undefined) throw error;
        for (const type of await this.#registryOf(unknown)) types.add(type);
      }
    }
    throw new Error('too many types');
  }

  async #registryOf(symbol: string): Promise<FileRegistry> {
    const known = this.#registries.get(symbol);
    if (known !== undefined) return known;
    const reflected = new Reflected(this.client, this.version);
    const registry = await reflected.files(symbol);
    reflected.close();
    if (registry === undefined) throw new Error(`reflection does not know ${symbol}`);
    this.#registries.set(symbol, registry);
    return registry;
  }
}

/** Length-delimited fields of a message by number. */
function fieldsOf(bytes: Buffer): ReadonlyMap<number, readonly Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const length = varint();
    if ((tag & 7) === 2) {
      fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}
