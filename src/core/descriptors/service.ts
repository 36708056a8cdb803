import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { safeObjectProperty } from '@bufbuild/protobuf/reflect';
import { invariant } from '../errors.js';
import { messageNamed } from './field.js';
import type { LazyHome } from './home.js';
import { serviceProto } from './protos.js';
import { fieldsOf, isSet, type ListParts, listPartsOf, type Span, textOf } from './spans.js';

/** Fields of `MethodDescriptorProto` (`google/protobuf/descriptor.proto`). */
const METHOD = { name: 1, input: 2, output: 3, options: 4, clientStreams: 5, serverStreams: 6 } as const;
/** Fields of `MethodOptions`. */
const OPTIONS = { deprecated: 33, idempotency: 34 } as const;

/** A service of which nothing is read before it is asked for. */
export class LazyService implements DescService {
  readonly kind = 'service';
  readonly file: LazyHome;
  readonly #index: number;
  #parts: ListParts | undefined;
  #methods: DescMethod[] | undefined;
  #proto: DescService['proto'] | undefined;

  /** The service with this index in `file`. */
  constructor(file: LazyHome, index: number) {
    this.file = file;
    this.#index = index;
  }

  get typeName(): string {
    return `${this.file.parts.prefix}${this.name}`;
  }
  get name() {
    return this.#told.name;
  }
  get deprecated() {
    return this.#told.isDeprecated;
  }
  get methods(): DescMethod[] {
    return (this.#methods ??= this.#told.members.map((span, index) => methodOf(this, span, index)));
  }
  get method(): Record<string, DescMethod> {
    return Object.fromEntries(this.methods.map((method) => [method.localName, method]));
  }
  get proto() {
    return (this.#proto ??= serviceProto(this.file.bytes, this.#span()));
  }

  toString(): string {
    return `service ${this.typeName}`;
  }

  get #told(): ListParts {
    return (this.#parts ??= listPartsOf(this.file.bytes, this.#span(), 'service'));
  }

  #span(): Span {
    const span = this.file.parts.services[this.#index];
    invariant(span !== undefined, 'generated code names services that are there');
    return span;
  }
}

function methodOf(parent: LazyService, span: Span, index: number): DescMethod {
  const { bytes } = parent.file;
  let [name, input, output, isDeprecated] = ['', '', '', false];
  let [clientStreams, serverStreams] = [false, false];
  let idempotency: DescMethod['idempotency'] = 0;
  const at = fieldsOf(bytes, span);
  while (at.next()) {
    if (at.field === METHOD.name) name = textOf(at);
    else if (at.field === METHOD.input) input = textOf(at);
    else if (at.field === METHOD.output) output = textOf(at);
    else if (at.field === METHOD.clientStreams) clientStreams = at.uint32() !== 0;
    else if (at.field === METHOD.serverStreams) serverStreams = at.uint32() !== 0;
    else if (at.field === METHOD.options) {
      isDeprecated = isSet(bytes, at, OPTIONS.deprecated);
      const options = fieldsOf(bytes, at);
      while (options.next()) if (options.field === OPTIONS.idempotency) idempotency = options.uint32();
    }
  }
  return {
    kind: 'rpc',
    name,
    localName: safeObjectProperty(name.slice(0, 1).toLowerCase() + name.slice(1)),
    parent,
    methodKind: kindOf(clientStreams, serverStreams),
    input: messageNamed(parent, input),
    output: messageNamed(parent, output),
    idempotency,
    deprecated: isDeprecated,
    get proto() {
      const found = parent.proto.method[index];
      invariant(found !== undefined, 'a descriptor is read in the same way twice');
      return found;
    },
    toString: () => `rpc ${parent.typeName}.${name}`,
  };
}

function kindOf(clientStreams: boolean, serverStreams: boolean): DescMethod['methodKind'] {
  if (clientStreams) return serverStreams ? 'bidi_streaming' : 'client_streaming';
  return serverStreams ? 'server_streaming' : 'unary';
}
