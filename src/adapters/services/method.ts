/** A method of a gRPC service: takes an encoded request and a height, returns an encoded response. */
import { storageRefusal } from '../../core/errors.js';
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import '../../core/text/message-text.js';
import { hasMoreParts } from '../../core/sdk/codec/message-parts.js';
import type { Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { ChainFacts } from './chain-facts.js';
import { malformed, refusalOf, type Refusal } from './status.js';

export type ServiceAnswer =
  | { readonly ok: true; readonly value: Uint8Array; readonly height: Height | undefined }
  | (Refusal & {
      /** Height of the state that was read; undefined if the call failed before. */
      readonly height: Height | undefined;
    });

export interface ServiceMethod {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly desc: DescMethod;
  /** True if the method answers from node data, not from a module's state. */
  readonly nodeLevel: boolean;
  /** Calls the method. `data`: the encoded request; height 0 means the head. Invalid input never rejects. */
  call(data: Uint8Array, height: bigint): Promise<ServiceAnswer>;
}

/** The context of a node-level method. */
export interface CallContext {
  readonly api: NodeApi;
  readonly facts: ChainFacts;
  readonly timers: Pick<Timers, 'yield'>;
  readonly limits: Limits;
  /** The requested height. */
  readonly height: Height;
}

export type Reply<Output> = { readonly ok: true; readonly value: Output } | Refusal;

/** A reply that its handler encodes itself, in turns of the event loop. */
interface EncodedReply {
  readonly ok: true;
  readonly encoded: Uint8Array;
}

/** A node-level method, not bound to a node. */
export interface NodeMethod {
  readonly desc: DescMethod;
  /** True if the answer does not depend on the height; then none is reported. */
  readonly timeless: boolean;
  run(data: Uint8Array, context: CallContext): Promise<Reply<Uint8Array>>;
}

interface Unary<Input extends DescMessage, Output extends DescMessage> {
  readonly input: Input;
  readonly output: Output;
}

/**
 * Creates a node-level method from its descriptor, such as `Service.method.getTx`, and a handler, which gets the
 * decoded and the encoded request.
 */
export function unary<Input extends DescMessage, Output extends DescMessage>(
  desc: DescMethod & Unary<Input, Output>,
  handle: (
    request: MessageShape<Input>,
    context: CallContext,
    data: Uint8Array,
  ) => Reply<MessageInitShape<Output>> | Promise<Reply<MessageInitShape<Output>> | EncodedReply>,
  options: { readonly timeless?: boolean } = {},
): NodeMethod {
  return {
    desc,
    timeless: options.timeless ?? false,
    async run(data, context) {
      const maximum = context.limits.messageParts;
      if (hasMoreParts(desc.input, data, maximum))
        return refusalOf({ code: 'limit-exceeded', limit: 'messageParts', maximum });
      let request: MessageShape<Input>;
      try {
        request = fromBinary(desc.input, data);
      } catch {
        return malformed(desc.input.typeName);
      }
      let reply: Reply<MessageInitShape<Output>> | EncodedReply;
      try {
        reply = await handle(request, context, data);
      } catch (error) {
        const refusal = storageRefusal(error);
        if (refusal === undefined) throw error;
        return refusalOf(refusal);
      }
      if (!reply.ok) return reply;
      return {
        ok: true,
        value: 'encoded' in reply ? reply.encoded : toBinary(desc.output, create(desc.output, reply.value)),
      };
    },
  };
}
