import { concatAll, EMPTY, utf8 } from '../bytes/bytes.js';
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
/** Gas of a store write (SDK `store/types/gas.go`): a call pays it for its whole input. */
const WRITE = { flat: 2000n, perByte: 30n } as const;
const READ = { flat: 1000n, perByte: 3n } as const;

/** A method of a precompile. */
export interface Method {
  readonly name: string;
  /** Signature `name(type,type)`. */
  readonly signature: string;
  /** Result types as `type,type`. */
  readonly outputs: string;
  /** True when the method changes state, so read-only calls fail. */
  readonly writes: boolean;
  /** Decodes the arguments, runs the method and encodes its results. Throws SdkError on failure. */
  answer(context: Context, call: ContractCall, encoded: Uint8Array): Uint8Array;
}

/** Runs a method: takes its decoded arguments and returns its results in order. */
type Run<In extends readonly AbiType<unknown>[], Out extends readonly AbiType<unknown>[]> = (
  context: Context,
  args: AbiValues<In>,
  call: ContractCall,
) => AbiValues<Out>;

/** Creates a view method from the types of its arguments and results. */
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

/** Creates a method that changes state. */
export function writeMethod<
  const In extends readonly AbiType<unknown>[],
  const Out extends readonly AbiType<unknown>[],
>(name: string, inputs: In, outputs: Out, run: Run<In, Out>): Method {
  return { ...viewMethod(name, inputs, outputs, run), writes: true };
}

/** Methods by their selectors. */
export class Methods {
  readonly all: readonly Method[];
  #bySelector: ReadonlyMap<number, Method> | undefined;

  constructor(methods: readonly Method[]) {
    this.all = methods;
  }

  /** Finds the method of an input; undefined when the selector is unknown or the input is too short. */
  find(crypto: Pick<Crypto, 'keccak256'>, input: Uint8Array): Method | undefined {
    this.#bySelector ??= new Map(this.all.map((one) => [selectorOf(crypto, one.signature), one]));
    return input.length < SELECTOR_BYTES ? undefined : this.#bySelector.get(selectorIn(input));
  }

  /** Finds the method of an input; throws the errors of cosmos/evm v0.6 `precompiles/common/precompile.go`. */
  require(crypto: Pick<Crypto, 'keccak256'>, input: Uint8Array): Method {
    if (input.length < SELECTOR_BYTES) throw plainError('execution reverted');
    const found = this.find(crypto, input);
    if (found === undefined) throw plainError(`no method with id: 0x${hex(input.subarray(0, SELECTOR_BYTES))}`);
    return found;
  }
}

/** Bytes of an input after the selector. */
export const argumentsOf = (input: Uint8Array): Uint8Array => input.subarray(SELECTOR_BYTES);

/** Creates a precompile over messages and queries of modules; store accesses cost gas. */
export function messageContract(address: Uint8Array, list: readonly Method[]): StatefulPrecompile {
  return contractOf(address, list, true, (method, input) => {
    const { flat, perByte } = method.writes ? WRITE : READ;
    return flat + perByte * BigInt(input.length);
  });
}

/** Creates a precompile with fixed prices; store accesses are free. */
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
      // An empty input may call the receive function.
      if (call.input.length === 0) contractRules.of(context).valueOf(call);
      const found = methods.require(context.crypto, call.input);
      if (call.readOnly && found.writes) throw plainError('write protection');
      return found.answer(context, call, argumentsOf(call.input));
    },
  };
}

/** First topics by event signature, which are constants. */
const topics = new Map<string, Uint8Array>();

function topicOf(crypto: Pick<Crypto, 'keccak256'>, signature: string): Uint8Array {
  const known = topics.get(signature);
  if (known !== undefined) return known;
  const topic = crypto.keccak256(utf8(signature));
  if (topics.size < FIXED_LIMITS.cachedTopics) topics.set(signature, topic);
  return topic;
}

/** Emits an event: `indexed` are the 32-byte words of its indexed fields, `data` the other fields, encoded. */
export function emitLog(
  { crypto }: Context,
  { address, journal }: ContractCall,
  signature: string,
  indexed: readonly Uint8Array[],
  data: Uint8Array = EMPTY,
): void {
  journal.log({ address, topics: [topicOf(crypto, signature), ...indexed], data });
}

/** Address with this number. */
export function contractAddress(number: number): Uint8Array {
  return fromHex(number.toString(16).padStart(40, '0'));
}

function selectorOf(crypto: Pick<Crypto, 'keccak256'>, signature: string): number {
  return selectorIn(crypto.keccak256(utf8(signature)));
}

/** Reads the selector as a number, because number keys make faster maps than strings. */
function selectorIn(bytes: Uint8Array): number {
  let selector = 0;
  for (let at = 0; at < SELECTOR_BYTES; at += 1) selector = selector * 256 + (bytes[at] ?? 0);
  return selector;
}

/** Concatenates encoded values. */
export const packed = (...words: readonly Uint8Array[]): Uint8Array => concatAll(words);
