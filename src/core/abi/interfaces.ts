import { concatAll, EMPTY } from '../bytes/bytes.js';
import { hexData } from '../bytes/hex.js';
import type { Crypto } from '../ports/crypto.js';
import { type Contract, isCreationBy, isDeployedFrom } from './contract.js';
import { decodeParameters, type NamedValue } from './decode.js';
import { type AbiItem, itemOfLine } from './item.js';
import { type AbiParameter, isDynamic } from './type.js';
import { WELL_KNOWN } from './well-known.js';

/** A decoded call, error or event: name and values. */
export interface Decoded {
  readonly name: string;
  readonly values: readonly NamedValue[];
}

/** A decoded call, with what is needed to decode its output. */
export interface DecodedCall extends Decoded {
  readonly outputs: readonly AbiParameter[];
}

type Kind = AbiItem['kind'];

/**
 * Known ABIs: contracts compiled next to the node, and well-known interfaces. Lookup order: the contract's own items,
 * those of other contracts, well-known ones.
 */
export class Interfaces {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #contracts: Contract[] = [];
  readonly #byLength = new Map<number, Contract[]>();
  readonly #bySelector = new Map<string, AbiItem[]>();
  #wellKnown: ReadonlyMap<string, readonly AbiItem[]> | undefined;

  constructor(crypto: Pick<Crypto, 'keccak256'>) {
    this.#crypto = crypto;
  }

  /** Number of contracts. */
  get size(): number {
    return this.#contracts.length;
  }

  add(contract: Contract): void {
    this.#contracts.push(contract);
    const length = contract.deployed?.bytes.length;
    if (length !== undefined) push(this.#byLength, length, contract);
    for (const item of contract.items) push(this.#bySelector, item.selector, item);
  }

  /** Removes all contracts, before they are read again. */
  clear(): void {
    this.#contracts.length = 0;
    this.#byLength.clear();
    this.#bySelector.clear();
  }

  /** Contract deployed with this code; undefined when it was not compiled here. */
  deployed(code: Uint8Array): Contract | undefined {
    return this.#byLength
      .get(code.length)
      ?.find(({ deployed }) => deployed !== undefined && isDeployedFrom(deployed, code));
  }

  /** Contract that creation data deploys; undefined when it was not compiled here. */
  created(data: Uint8Array): Contract | undefined {
    return this.#contracts.find(({ creation }) => creation !== undefined && isCreationBy(creation, data));
  }

  /** Decodes a call; undefined for an unknown function, and for arguments that do not match a known one. */
  call(data: Uint8Array, contract?: Contract): DecodedCall | undefined {
    const arguments_ = data.subarray(4);
    return this.#first('function', selectorOf(data), contract, ({ name, inputs, outputs }) => {
      const values = decodeParameters(inputs, arguments_);
      return values && { name, values, outputs };
    });
  }

  /** Name of the function with the selector in `data`; the arguments are ignored. */
  functionName(data: Uint8Array, contract?: Contract): string | undefined {
    return this.#first('function', selectorOf(data), contract, ({ name }) => name);
  }

  /** Decodes revert data, custom errors included; undefined for an unknown error. */
  error(data: Uint8Array, contract?: Contract): Decoded | undefined {
    const arguments_ = data.subarray(4);
    return this.#first('error', selectorOf(data), contract, ({ name, inputs }) => {
      const values = decodeParameters(inputs, arguments_);
      return values && { name, values };
    });
  }

  /** Decodes a log; undefined for an unknown or anonymous event. */
  event(topics: readonly Uint8Array[], data: Uint8Array, contract?: Contract): Decoded | undefined {
    const [first = EMPTY, ...rest] = topics;
    return this.#first('event', hexData(first), contract, ({ name, inputs }) => eventOf(name, inputs, rest, data));
  }

  #first<Found>(
    kind: Kind,
    selector: string,
    contract: Contract | undefined,
    read: (item: AbiItem) => Found | undefined,
  ): Found | undefined {
    const sources = [
      contract?.items ?? [],
      this.#bySelector.get(selector) ?? [],
      (this.#wellKnown ??= wellKnown(this.#crypto)).get(selector) ?? [],
    ];
    for (const items of sources) {
      for (const item of items) {
        const found = item.kind === kind && item.selector === selector ? read(item) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/**
 * Values of an event. For an indexed string, array or struct the topic contains only the hash, which is shown as
 * such.
 */
function eventOf(
  name: string,
  inputs: readonly AbiParameter[],
  topics: readonly Uint8Array[],
  data: Uint8Array,
): Decoded | undefined {
  const indexed = inputs
    .filter((input) => input.indexed)
    .map((input): AbiParameter =>
      isDynamic(input.type) || input.type.kind === 'tuple' || input.type.kind === 'array'
        ? { ...input, type: { kind: 'bytes', size: 32 } }
        : input,
    );
  if (indexed.length !== topics.length) return undefined;
  const fromTopics = decodeParameters(indexed, concatAll(topics));
  const others = inputs.filter((input) => !input.indexed);
  const fromData = decodeParameters(others, data);
  if (fromTopics === undefined || fromData === undefined) return undefined;
  const [a, b] = [[...fromTopics], [...fromData]];
  const values = inputs.flatMap((input) => (input.indexed ? a : b).shift() ?? []);
  return { name, values };
}

function selectorOf(data: Uint8Array): string {
  return hexData(data.subarray(0, 4));
}

function wellKnown(crypto: Pick<Crypto, 'keccak256'>): ReadonlyMap<string, readonly AbiItem[]> {
  const items = new Map<string, AbiItem[]>();
  for (const kind of ['function', 'error', 'event'] as const)
    for (const line of WELL_KNOWN[kind]) {
      const item = itemOfLine(crypto, kind, line);
      push(items, item.selector, item);
    }
  return items;
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
