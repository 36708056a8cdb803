import type { DescFile, DescMessage, DescService, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, getOption, isMessage, toBinary } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import { onFirstCall } from '../../on-first-call.js';
import { signer } from '../../proto/cosmos/msg/v1/msg_pb.js';
import type { ValidatorUpdate } from '../../proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from '../../proto/tendermint/types/params_pb.js';
import { DEFAULT_LIMITS } from '../../limits/limits.js';
import type { TransactionKind } from './ante.js';
import { decodeMessage } from '../codec/any.js';
import type { Context, MessageHandler, ValidationRules } from './context.js';
import type { EvmAddressOf } from './engine-host.js';
import type { Keepers } from './keepers.js';
import type { Page } from './pagination.js';
import { hasMoreParts } from '../codec/message-parts.js';
import type { Build, PreBlockReport } from './pre-block.js';
import { grpcError } from './sdk-error.js';
import { requireUtf8 } from '../codec/utf8-texts.js';

export interface QueryHandler {
  /** gRPC path, for example `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  handle(context: Context, data: Uint8Array): Uint8Array;
}

/** Genesis facts that belong to no module's section. */
export interface GenesisFacts {
  /** Height of the first block with the module. */
  readonly initialHeight: bigint;
  readonly consensusParams: ConsensusParams;
  /** Executes a genesis transaction on the state so far; throws SdkError on failure. */
  readonly deliver: (tx: Uint8Array) => void;
}

/** Validator updates; undefined from a module that does not change validators. */
export type ValidatorChanges = readonly ValidatorUpdate[] | undefined;

/** An invariant of the whole state; `check` returns the violation, or undefined. */
export interface Invariant {
  readonly name: string;
  check(context: Context): string | undefined;
}

/** Interface of all modules (SDK `types/module`). */
export interface Module {
  readonly name: string;
  /** Name of its IAVL store; absent for a module without state. */
  readonly store?: string;
  readonly consensusVersion: bigint;
  /**
   * Writes the module's state from its section of `app_state`; throws GenesisError with the invalid key. At most one
   * module of an application returns validators.
   */
  initGenesis(context: Context, section: unknown, facts: GenesisFacts): ValidatorChanges | void;
  /** Exports the module's genesis section as a JSON value. */
  exportGenesis(context: Context): unknown;
  readonly messages: readonly MessageHandler[];
  readonly queries: readonly QueryHandler[];
  /** Files of its messages that `MESSAGE_TYPES` does not contain, for amino JSON and the check for unknown fields. */
  readonly types?: readonly DescFile[];
  readonly preBlock?: (context: Context, build: Build) => PreBlockReport | undefined;
  readonly beginBlock?: (context: Context) => void;
  readonly endBlock?: (context: Context) => ValidatorChanges | void;
  /** Migrations; the key is the version that a migration starts from. */
  readonly migrations?: ReadonlyMap<bigint, (context: Context) => void>;
  readonly invariants?: readonly Invariant[];
  /** Kind of transactions that pass this module's ante rules instead of the application version's. */
  readonly transactions?: TransactionKind;
  /** Keepers that this module provides. */
  readonly keepers?: Partial<Keepers>;
  /** Maps a key of this module's store to the account whose balance, nonce, code or storage it affects in the EVM. */
  readonly evmAddressOf?: EvmAddressOf;
}

/** Fields of a response; nothing for an empty one. */
type Fields<Out extends DescMessage> = MessageInitShape<Out> | void;

/** Names of a service's methods as in generated code: `delegatorDelegations`. */
export type MethodName<Service extends DescService> = keyof Service['method'] & string;
export type MethodInput<
  Service extends DescService,
  Name extends MethodName<Service>,
> = Service['method'][Name]['input'];
export type MethodOutput<
  Service extends DescService,
  Name extends MethodName<Service>,
> = Service['method'][Name]['output'];

/** Path of a method: `/cosmos.staking.v1beta1.Query/DelegatorDelegations`. Reads only the service's name. */
export function pathOf(service: DescService, name: string): string {
  return `/${service.typeName}/${capitalized(name)}`;
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** A method with its message types. */
export function methodOf<Service extends DescService, Name extends MethodName<Service>>(
  service: Service,
  name: Name,
): { readonly input: MethodInput<Service, Name>; readonly output: MethodOutput<Service, Name> } {
  const method = service.method[name];
  invariant(method !== undefined, `${service.typeName} has a method ${name}`);
  return method;
}

type Handle<In extends DescMessage, Out extends DescMessage> = (
  context: Context,
  sent: MessageShape<In>,
) => Fields<Out>;

/** Execution of a message, and rules that differ from the defaults. */
export interface MessageRules<In extends DescMessage, Out extends DescMessage> {
  /** Returns the signers' addresses as text. Default: the fields that option `cosmos.msg.v1.signer` names. */
  readonly signers?: (sent: MessageShape<In>, bech32Prefix: string) => readonly string[];
  /** Stateless validation; throws SdkError. */
  readonly validate?: (sent: MessageShape<In>, rules: ValidationRules) => void;
  /** Executes the message and returns the fields of the response. Throws SdkError on failure. */
  readonly handle: Handle<In, Out>;
}

/**
 * Creates the handler of one method of a `Msg` service: method `Send` takes `MsgSend` and returns `MsgSendResponse`
 * of the same package (cosmos-sdk v0.53 `baseapp/msg_service_router.go`). Reads only the service's name before the
 * first message.
 */
export function message<Service extends DescService, Name extends MethodName<Service>>(
  service: Service,
  name: Name,
  rules:
    | Handle<MethodInput<Service, Name>, MethodOutput<Service, Name>>
    | MessageRules<MethodInput<Service, Name>, MethodOutput<Service, Name>>,
): MessageHandler {
  const typeUrl = `/${service.typeName}${capitalized(name)}`;
  const method = onFirstCall(() => {
    const found = methodOf(service, name);
    invariant(typeUrl === `/${found.input.typeName}`, `${typeUrl} is the message of the method ${name}`);
    return found;
  });
  const names = { typeUrl, responseTypeUrl: `${typeUrl}Response` };
  return handlerOf(names, method, typeof rules === 'function' ? { handle: rules } : rules);
}

/** Creates the handler of a method's message. */
export function messageOf<In extends DescMessage, Out extends DescMessage>(
  method: { readonly input: In; readonly output: Out },
  rules: MessageRules<In, Out>,
): MessageHandler {
  const { input, output } = method;
  return handlerOf({ typeUrl: `/${input.typeName}`, responseTypeUrl: `/${output.typeName}` }, () => method, rules);
}

/** `method` provides the message types; it is first called for the first message. */
function handlerOf<In extends DescMessage, Out extends DescMessage>(
  names: Pick<MessageHandler, 'typeUrl' | 'responseTypeUrl'>,
  method: () => { readonly input: In; readonly output: Out },
  { signers = signersByOption(() => method().input), validate, handle }: MessageRules<In, Out>,
): MessageHandler {
  const decode = (value: Uint8Array): MessageShape<In> => decodeMessage(method().input, value);
  const execute = (context: Context, sent: MessageShape<In>): MessageShape<Out> => {
    validate?.(sent, context);
    return create(method().output, handle(context, sent) ?? undefined);
  };
  return {
    ...names,
    signers: (value, bech32Prefix) => {
      const decoded = decode(value);
      requireUtf8(method().input, value);
      return signers(decoded, bech32Prefix);
    },
    ...(validate !== undefined && {
      validate: (value: Uint8Array, rules: ValidationRules) => validate(decode(value), rules),
    }),
    handle: (context, value) => toBinary(method().output, execute(context, decode(value))),
    execute: (context, sent) => {
      invariant(isMessage(sent, method().input), 'a handler executes messages of its type');
      return execute(context, sent);
    },
  };
}

/** Reads the text fields that a message's option `cosmos.msg.v1.signer` names, in order. */
function signersByOption(schemaOf: () => DescMessage): (sent: Message) => readonly string[] {
  const fields = onFirstCall(() => {
    const schema = schemaOf();
    return getOption(schema, signer).map((name) => schema.fields.find((field) => field.name === name)?.localName);
  });
  return (sent) =>
    fields().map((field) => {
      const text: unknown = field === undefined ? undefined : Reflect.get(sent, field);
      invariant(typeof text === 'string', `${schemaOf().typeName} names text fields as signers`);
      return text;
    });
}

/** Item of a response's list. */
type Row<Out extends DescMessage> = Extract<
  MessageInitShape<Out>[keyof MessageInitShape<Out>],
  readonly unknown[]
>[number];

type Answer<Out extends DescMessage> = Fields<Out> | Page<Row<Out>>;

function isPage<Out extends DescMessage>(answer: Answer<Out>): answer is Page<Row<Out>> {
  return typeof answer === 'object' && 'rows' in answer && 'page' in answer;
}

/** Fields of a response; a page becomes the message's only list and `pagination`. */
function fieldsOf<Out extends DescMessage>(output: Out, answer: Answer<Out>): Fields<Out> {
  if (!isPage(answer)) return answer;
  const list = output.fields.find(({ fieldKind }) => fieldKind === 'list');
  invariant(list !== undefined, `${output.typeName} has a list`);
  const fields: object = { [list.localName]: answer.rows, pagination: answer.page };
  return fields as Fields<Out>;
}

/**
 * Creates the handler of one method of a Query service; `handle` returns the fields of the response, or a page of its
 * list.
 */
export function query<Service extends DescService, Name extends MethodName<Service>>(
  service: Service,
  name: Name,
  handle: (context: Context, request: MessageShape<MethodInput<Service, Name>>) => Answer<MethodOutput<Service, Name>>,
): QueryHandler {
  return queryAt(pathOf(service, name), () => methodOf(service, name), handle);
}

/**
 * Creates the handler of a query path; `method` provides the message types and is first called for the first query.
 */
export function queryAt<In extends DescMessage, Out extends DescMessage>(
  path: string,
  method: () => { readonly input: In; readonly output: Out },
  handle: (context: Context, request: MessageShape<In>) => Answer<Out>,
): QueryHandler {
  return {
    path,
    handle: (context, data) => {
      const { input, output } = method();
      if (hasMoreParts(input, data))
        throw grpcError('ResourceExhausted', `limit messageParts (${DEFAULT_LIMITS.messageParts}) exceeded`);
      let request: MessageShape<In>;
      try {
        request = fromBinary(input, data);
      } catch {
        throw grpcError('InvalidArgument', `cannot decode ${input.typeName}`);
      }
      return toBinary(output, create(output, fieldsOf(output, handle(context, request)) ?? undefined));
    },
  };
}
