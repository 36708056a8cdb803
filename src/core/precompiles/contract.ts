import { concat, EMPTY, utf8 } from '../bytes/bytes.js';
import { fromHex, hex } from '../bytes/hex.js';
import type { Context } from '../sdk/module/context.js';
import { plainError } from '../sdk/module/sdk-error.js';
import { type ContractCall, type StatefulPrecompile } from '../sdk/module/stateful-precompile.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { AbiInput, type AbiType, type AbiValues } from './abi/abi-type.js';
import { contractRules } from './contract-rules.js';
import { decodeAll, encodeAll } from './abi/compounds.js';

const SELECTOR_BYTES = 4;
/** Gas of a store access (SDK `store/types/gas.go`): a call costs it for its whole input. */
const WRITE = { flat: 2000n, perByte: 30n } as const;
const READ = { flat: 1000n, perByte: 3n } as const;

/** A function of a contract. */
export interface Method {
  readonly name: string;
  /** `name(type,type)`. */
  readonly signature: string;
  /** `type,type` of the results. */
  readonly outputs: string;
  /** It changes state, so that a read-only call is refused. */
  readonly writes: boolean;
  /** Answers encoded arguments. Throws SdkError to refuse. */
  answer(context: Context, call: ContractCall, encoded: Uint8Array): Uint8Array;
}

/** Takes the decoded arguments of a function and returns its results in their order. */
type Run<In extends readonly AbiType<unknown>[], Out extends readonly AbiType<unknown>[]> = (
  context: Context,
  args: AbiValues<In>,
  call: ContractCall,
) => AbiValues<Out>;

/** A function that reads, with the types of its arguments and results. */
export function viewMethod<const In extends readonly AbiType<unknown>[], const Out extends readonly AbiType<unknown>[]>(
  name: string,
  inputs: In,
  outputs: Out,
  run: Run<In, Out>,
): Method {
  return {
    name,
    signature: `${name}(${inputs.map((type) => type.name).join(',')})`,
    outputs: outputs.map((type) => type.name).join(','),
    writes: false,
    answer(context, call, encoded) {
      if (encoded.length === 0 && inputs.length > 0)
        throw plainError('abi: attempting to unmarshal an empty string while arguments are expected');
      return encodeAll(outputs, run(context, decodeAll(inputs, new AbiInput(encoded)), call));
    },
  };
}

/** A function that changes state. */
export function writeMethod<
  const In extends readonly AbiType<unknown>[],
  const Out extends readonly AbiType<unknown>[],
>(name: string, inputs: In, outputs: Out, run: Run<In, Out>): Method {
  return { ...viewMethod(name, inputs, outputs, run), writes: true };
}

/** Functions by their selectors. */
export class Methods {
  readonly all: readonly Method[];
  #bySelector: ReadonlyMap<number, Method> | undefined;

  constructor(methods: readonly Method[]) {
    this.all = methods;
  }

  /** The function that an input names; undefined where the contract has none, or the input is too short. */
  find(crypto: Pick<Crypto, 'keccak256'>, input: Uint8Array): Method | undefined {
    this.#bySelector ??= new Map(this.all.map((one) => [selectorOf(crypto, one.signature), one]));
    return input.length < SELECTOR_BYTES ? undefined : this.#bySelector.get(selectorIn(input));
  }

  /** Finds as `find` does, with the refusals of cosmos/evm v0.6 `precompiles/common/precompile.go`. */
  require(crypto: Pick<Crypto, 'keccak256'>, input: Uint8Array): Method {
    if (input.length < SELECTOR_BYTES) throw plainError('execution reverted');
    const found = this.find(crypto, input);
    if (found === undefined) throw plainError(`no method with id: 0x${hex(input.subarray(0, SELECTOR_BYTES))}`);
    return found;
  }
}

/** The bytes of an input after the selector. */
export const argumentsOf = (input: Uint8Array): Uint8Array => input.subarray(SELECTOR_BYTES);

/** A contract over the messages and queries of modules, whose accesses to stores cost gas. */
export function messageContract(address: Uint8Array, list: readonly Method[]): StatefulPrecompile {
  return contractOf(address, list, true, (method, input) => {
    const { flat, perByte } = method.writes ? WRITE : READ;
    return flat + perByte * BigInt(input.length);
  });
}

/** A contract with fixed prices, whose accesses to stores are free. */
export function pricedContract(
  address: Uint8Array,
  list: readonly Method[],
  prices: Readonly<Record<string, bigint>>,
): StatefulPrecompile {
  return contractOf(address, list, false, ({ name }) => prices[name] ?? 0n);
}

function contractOf(
  address: Uint8Array,
  list: readonly Method[],
  storeGas: boolean,
  gasOf: (method: Method, input: Uint8Array) => bigint,
): StatefulPrecompile {
  const methods = new Methods(list);
  return {
    address,
    functions: methods.all,
    kind: 'messages',
    storeGas,
    requiredGas({ crypto }, input) {
      const found = methods.find(crypto, input);
      return found === undefined ? 0n : gasOf(found, input);
    },
    run(context, call) {
      // an empty input may be for a function that receives value
      if (call.input.length === 0) contractRules.of(context).valueOf(call);
      const found = methods.require(context.crypto, call.input);
      if (call.readOnly && found.writes) throw plainError('write protection');
      return found.answer(context, call, argumentsOf(call.input));
    },
  };
}

/** First topics by the signatures of events, which are constants of the contracts. */
const topics = new Map<string, Uint8Array>();

function topicOf(crypto: Pick<Crypto, 'keccak256'>, signature: string): Uint8Array {
  const known = topics.get(signature);
  if (known !== undefined) return known;
  const topic = crypto.keccak256(utf8(signature));
  if (topics.size < FIXED_LIMITS.cachedTopics) topics.set(signature, topic);
  return topic;
}

/** An event of a contract; `indexed`: 32-byte words of its indexed fields, `data`: the others, encoded. */
export function emitLog(
  { crypto }: Context,
  { address, journal }: ContractCall,
  signature: string,
  indexed: readonly Uint8Array[],
  data: Uint8Array = EMPTY,
): void {
  journal.log({ address, topics: [topicOf(crypto, signature), ...indexed], data });
}

/** The address with this number. */
export function contractAddress(number: number): Uint8Array {
  return fromHex(number.toString(16).padStart(40, '0'));
}

function selectorOf(crypto: Pick<Crypto, 'keccak256'>, signature: string): number {
  return selectorIn(crypto.keccak256(utf8(signature)));
}

/** The first four bytes as a number, which a map finds sooner than a text. */
function selectorIn(bytes: Uint8Array): number {
  let selector = 0;
  for (let at = 0; at < SELECTOR_BYTES; at += 1) selector = selector * 256 + (bytes[at] ?? 0);
  return selector;
}

/** Encoded values one after the other. */
export const packed = (...words: readonly Uint8Array[]): Uint8Array => concat(...words);
