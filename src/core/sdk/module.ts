import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import { DEFAULT_LIMITS } from '../limits.js';
import type { Context } from './context.js';
import { hasMoreParts } from './message-parts.js';
import { grpcError, SdkError, sdkErrors } from './sdk-error.js';

/** One message type: who must sign it and what it does. */
export interface MessageHandler {
  readonly typeUrl: string;
  /** Type URL of its response. */
  readonly responseTypeUrl: string;
  /**
   * Signers as written in the message, in order; the SDK's `cosmos.msg.v1.signer` option. Throws SdkError for undecodable
   * bytes. The prefix is for messages that hold bytes instead of text.
   */
  signers(value: Uint8Array, bech32Prefix: string): readonly string[];
  /** Executes over `context.store` and answers the encoded response. Throws SdkError to fail. */
  handle(context: Context, value: Uint8Array): Uint8Array;
}

export interface QueryHandler {
  /** gRPC path, for example `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  handle(context: Context, data: Uint8Array): Uint8Array;
}

/** Facts of genesis that belong to no module's section. */
export interface GenesisFacts {
  readonly consensusParams: ConsensusParams;
}

/** Invariant over the whole state: undefined when it holds, else what is broken. */
export interface Invariant {
  readonly name: string;
  check(context: Context): string | undefined;
}

/** The one shape of all modules (design section 5). */
export interface Module {
  readonly name: string;
  /** Name of its IAVL store. */
  readonly store: string;
  readonly consensusVersion: bigint;
  /** Writes the module's state from its section of `app_state`; throws SdkError naming the key that is wrong. */
  initGenesis(context: Context, section: unknown, facts: GenesisFacts): void;
  /** The module's section of an exported genesis, as JSON value. */
  exportGenesis(context: Context): unknown;
  readonly messages: readonly MessageHandler[];
  readonly queries: readonly QueryHandler[];
  readonly preBlock?: (context: Context) => void;
  readonly beginBlock?: (context: Context) => void;
  readonly endBlock?: (context: Context) => void;
  /** Migration from the version that is the key to the next one. */
  readonly migrations: ReadonlyMap<bigint, (context: Context) => void>;
  readonly invariants: readonly Invariant[];
}

/** Message handler from schemas; `signers` names the fields of the decoded message that must sign. */
export function message<In extends DescMessage, Out extends DescMessage>(
  input: In,
  output: Out,
  signers: (message: MessageShape<In>) => readonly string[],
  handle: (context: Context, message: MessageShape<In>) => MessageShape<Out>,
): MessageHandler {
  const decode = (value: Uint8Array): MessageShape<In> => {
    try {
      return fromBinary(input, value);
    } catch {
      throw new SdkError(sdkErrors.txDecode, `cannot decode ${input.typeName}`);
    }
  };
  return {
    typeUrl: `/${input.typeName}`,
    responseTypeUrl: `/${output.typeName}`,
    signers: (value) => signers(decode(value)),
    handle: (context, value) => toBinary(output, handle(context, decode(value))),
  };
}

/** Query handler from schemas. */
export function query<In extends DescMessage, Out extends DescMessage>(
  path: string,
  input: In,
  output: Out,
  handle: (context: Context, request: MessageShape<In>) => MessageShape<Out>,
): QueryHandler {
  return {
    path,
    handle: (context, data) => {
      if (hasMoreParts(input, data))
        throw grpcError('ResourceExhausted', `limit messageParts (${DEFAULT_LIMITS.messageParts}) exceeded`);
      let request: MessageShape<In>;
      try {
        request = fromBinary(input, data);
      } catch {
        throw grpcError('InvalidArgument', `cannot decode ${input.typeName}`);
      }
      return toBinary(output, handle(context, request));
    },
  };
}
