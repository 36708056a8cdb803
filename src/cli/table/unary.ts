import type { DescMessage, DescMethodUnary, JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { strictBase64 } from '../../core/bytes/strict-base64.js';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { aminoJson } from '../../core/sdk/codec/amino-json.js';
import { KNOWN_TYPES } from '../../core/sdk/codec/known-types.js';
import type { CommandBody } from './command-table.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from './flags.js';
import { addressOf, hexAddressOf, operatorOf } from '../values/names.js';
import { print } from './output.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';

/** The inputs from which a query request is built. */
export interface QueryInput {
  /** The argument as typed; empty when left out. */
  readonly text: (index: number) => string;
  /** The argument as an address of the chain: a key's name, bech32 or 0x. */
  readonly address: (index: number) => Promise<string>;
  /** The argument as a 0x address: a key's name, bech32 or 0x. */
  readonly hexAddress: (index: number) => Promise<string>;
  /** The argument as a validator operator address: given as such, or as its account in any form. */
  readonly operator: (index: number) => Promise<string>;
  /** Resolves a key name or address to an address of the chain; empty for undefined. */
  readonly named: (account: string | undefined) => Promise<string>;
  readonly flags: Flags;
  /** The page request of the paging flags; empty without them. */
  readonly pagination: { readonly pagination?: PageFields };
}

interface PageFields {
  readonly key?: Uint8Array;
  readonly offset?: bigint;
  readonly limit?: bigint;
  readonly countTotal?: boolean;
  readonly reverse?: boolean;
}

/** Creates a method's request from the arguments and flags of a command. */
export type Request<Method extends DescMethodUnary> = (
  input: QueryInput,
) => MessageInitShape<Method['input']> | Promise<MessageInitShape<Method['input']>>;

/** Creates a command that calls one query method and prints its answer as the SDK's autocli commands do. */
export function unary<Method extends DescMethodUnary>(method: Method, request?: Request<Method>): CommandBody {
  return async (context, args, flags) =>
    print(
      context,
      await askMethod(context, method, await request?.(inputOf(context, args, flags)), flags.whole('height')),
    );
}

/**
 * Like `unary`, for EVM and IBC modules, whose commands print every field (also empty ones) on one line. `field`:
 * prints only this field of the answer.
 */
export function evmUnary<Method extends DescMethodUnary>(
  method: Method,
  request?: Request<Method>,
  part?: string,
): CommandBody {
  return async (context, args, flags) => {
    const message = await request?.(inputOf(context, args, flags));
    const answer = await askEvm(context, method, message, flags.whole('height'));
    print({ ...context, indent: false }, part === undefined ? answer : fieldOf(answer, part));
  };
}

function inputOf(context: CommandContext, args: readonly string[], flags: Flags): QueryInput {
  return {
    text: (index) => args[index] ?? '',
    address: (index) => addressOf(context, args[index] ?? ''),
    hexAddress: (index) => hexAddressOf(context, args[index] ?? ''),
    operator: (index) => operatorOf(context, args[index] ?? ''),
    named: async (account) => (account === undefined ? '' : addressOf(context, account)),
    flags,
    pagination: pageOf(flags),
  };
}

function fieldOf(value: JsonValue, name: string): JsonValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value[name] ?? null) : null;
}

/** Calls a method; returns its answer as proto JSON. */
export async function askEvm<Method extends DescMethodUnary>(
  context: CommandContext,
  method: Method,
  request: MessageInitShape<Method['input']> | undefined,
  height?: bigint,
) {
  const output: DescMessage = method.output;
  return protoJson(output, fromBinary(output, await call(context, method, request, height)));
}

/** Calls a method; returns its answer as Amino JSON. */
async function askMethod<Method extends DescMethodUnary>(
  context: CommandContext,
  method: Method,
  request: MessageInitShape<Method['input']> | undefined,
  height?: bigint,
) {
  const bytes = await call(context, method, request, height);
  return aminoJson(reflect(method.output, fromBinary(method.output, bytes)), { names: 'url', registry: KNOWN_TYPES });
}

/** Calls a method at a height (by default the latest); returns the encoded answer. */
function call<Method extends DescMethodUnary>(
  { rpc }: CommandContext,
  method: Method,
  request: MessageInitShape<Method['input']> | undefined,
  height: bigint | undefined,
): Promise<Uint8Array> {
  const path = `/${method.parent.typeName}/${method.name}`;
  return rpc.abciQuery(path, toBinary(method.input, create(method.input, request)), height);
}

const DEFAULT_LIMIT = 100n;

function pageOf(flags: Flags): QueryInput['pagination'] {
  const limit = flags.whole('limit');
  const page = flags.whole('page');
  const key = flags.text('page-key');
  const given = flags.whole('offset');
  if (page !== undefined && (page === 0n || given !== undefined || key !== undefined))
    throw new CommandError(EXIT.usage, '--page counts from 1, and goes with neither --offset nor --page-key');
  const offset = page === undefined ? given : (page - 1n) * (limit ?? DEFAULT_LIMIT);
  const fields: PageFields = {
    ...(key !== undefined && { key: bytesOf(key) }),
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(flags.is('count-total') && { countTotal: true }),
    ...(flags.is('reverse') && { reverse: true }),
  };
  return Object.keys(fields).length === 0 ? {} : { pagination: fields };
}

function bytesOf(key: string): Uint8Array {
  const bytes = strictBase64(key);
  if (bytes === undefined) throw new CommandError(EXIT.usage, `--page-key: ${JSON.stringify(key)} is not base64`);
  return bytes;
}
