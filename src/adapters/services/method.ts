/** One method of a gRPC service: encoded request in, encoded answer out, at any height. */
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
import type { Height } from '../../core/primitives.js';
import type { ChainFacts } from './chain-facts.js';
import { malformed, refusalOf, type Refusal } from './status.js';

export type ServiceAnswer =
  | { readonly ok: true; readonly value: Uint8Array; readonly height: Height | undefined }
  | (Refusal & {
      /** Height of the state that was read; undefined when the call failed before a height was chosen. */
      readonly height: Height | undefined;
    });

export interface ServiceMethod {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly desc: DescMethod;
  /** True when the method answers from facts of the node, not from a module's store. */
  readonly nodeLevel: boolean;
  /** `data` is the encoded request; height 0 means the head. Never rejects because of input. */
  call(data: Uint8Array, height: bigint): Promise<ServiceAnswer>;
}

/** The context of a node-level method. */
export interface CallContext {
  readonly api: NodeApi;
  readonly facts: ChainFacts;
  readonly limits: Limits;
  /** The height of the call. */
  readonly height: Height;
}

export type Reply<Output> = { readonly ok: true; readonly value: Output } | Refusal;

/** A node-level method that is not yet bound to a node. */
export interface NodeMethod {
  readonly desc: DescMethod;
  /** True when the answer depends on no height, so that no height is reported. */
  readonly timeless: boolean;
  run(data: Uint8Array, context: CallContext): Promise<Reply<Uint8Array>>;
}

interface Unary<Input extends DescMessage, Output extends DescMessage> {
  readonly input: Input;
  readonly output: Output;
}

/**
 * Makes a node-level method from its descriptor, for example `Service.method.getTx`, and a handler of the decoded
 * request, which gets its encoding, too.
 */
export function unary<Input extends DescMessage, Output extends DescMessage>(
  desc: DescMethod & Unary<Input, Output>,
  handle: (
    request: MessageShape<Input>,
    context: CallContext,
    data: Uint8Array,
  ) => Reply<MessageInitShape<Output>> | Promise<Reply<MessageInitShape<Output>>>,
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
      let reply: Reply<MessageInitShape<Output>>;
      try {
        reply = await handle(request, context, data);
      } catch (error) {
        const refusal = storageRefusal(error);
        if (refusal === undefined) throw error;
        return refusalOf(refusal);
      }
      return reply.ok ? { ok: true, value: toBinary(desc.output, create(desc.output, reply.value)) } : reply;
    },
  };
}
