/** Executes messages and queries of modules for the precompiles. */
import {
  create,
  fromBinary,
  isMessage,
  toBinary,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { invariant } from '../errors.js';
import type { AppVersion } from '../sdk/module/app-version.js';
import type { Context } from '../sdk/module/context.js';
import { presentModules } from '../sdk/module/app-version.js';
import {
  type MethodInput,
  type MethodName,
  type MethodOutput,
  methodOf,
  pathOf,
  type QueryHandler,
} from '../sdk/module/module.js';
import { plainError, SdkError } from '../sdk/module/sdk-error.js';
import { versionOf } from '../sdk/module/message-router.js';

/** Executes the message of a Msg service method and returns its response. Throws SdkError on failure. */
export function deliver<Service extends DescService, Name extends MethodName<Service>>(
  context: Context,
  service: Service,
  name: Name,
  message: MessageInitShape<MethodInput<Service, Name>>,
): MessageShape<MethodOutput<Service, Name>> {
  const { input, output } = methodOf(service, name);
  const typeUrl = typeUrlOf(input);
  const handler = context.router.find(typeUrl);
  const sent = create(input, message);
  // An alias would execute a message of another type.
  if (handler.execute === undefined || handler.typeUrl !== typeUrl)
    return fromBinary(output, handler.handle(context, toBinary(input, sent)));
  const response = handler.execute(context, sent);
  invariant(isMessage(response, output), 'a message has the response of its service');
  return response;
}

const typeUrls = new WeakMap<DescMessage, string>();

/** Caches one string per schema, because every new string must be hashed for map lookups. */
function typeUrlOf(schema: DescMessage): string {
  let typeUrl = typeUrls.get(schema);
  if (typeUrl === undefined) typeUrls.set(schema, (typeUrl = `/${schema.typeName}`));
  return typeUrl;
}

const handlers = new WeakMap<AppVersion, ReadonlyMap<string, QueryHandler>>();

/**
 * Runs a method of a Query service on the state of `context`. An error with a gRPC status has only the status text,
 * without the suffix that ABCI adds (cosmos/evm v0.6 `precompiles` call the query servers directly).
 */
export function ask<Service extends DescService, Name extends MethodName<Service>>(
  context: Context,
  service: Service,
  name: Name,
  request: MessageInitShape<MethodInput<Service, Name>>,
): MessageShape<MethodOutput<Service, Name>> {
  const path = pathOf(service, name);
  const { input, output } = methodOf(service, name);
  const version = versionOf(context);
  let known = handlers.get(version);
  if (known === undefined) {
    known = new Map(presentModules(version).flatMap(({ queries }) => queries.map((one) => [one.path, one] as const)));
    handlers.set(version, known);
  }
  const handler = known.get(path);
  if (handler === undefined) throw plainError(`unknown query path: ${path}`);
  return fromBinary(
    output,
    withStatus(() => handler.handle(context, toBinary(input, create(input, request)))),
  );
}

/** Runs `check`; an error with a gRPC status gets the status text only. */
export function withStatus<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SdkError) || error.registered.grpc === undefined) throw error;
    throw plainError(error.message.slice(0, -`: ${error.registered.text}`.length));
  }
}
