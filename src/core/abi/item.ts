import { utf8 } from '../bytes/bytes.js';
import { hexData } from '../bytes/hex.js';
import { asObject } from '../text/json-object.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';
import { isIdentifier } from './identifier.js';
import { type AbiParameter, parametersOf, typeOf, typeText } from './type.js';

type Keccak = Pick<Crypto, 'keccak256'>;

/** A function, error or event of a contract. */
export interface AbiItem {
  readonly kind: 'function' | 'error' | 'event';
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** Return values of a function; empty when unknown. */
  readonly outputs: readonly AbiParameter[];
  /** `0x` and 8 digits for functions and errors; `0x` and the 64 digits of the first topic for events. */
  readonly selector: string;
}

/** Parses ABI items from compiler JSON. Skips unknown entries and names that are not identifiers (`isIdentifier`). */
export function abiItems(crypto: Keccak, json: unknown): readonly AbiItem[] {
  if (!Array.isArray(json)) return [];
  return json.slice(0, FIXED_LIMITS.abiItems).flatMap((entry) => {
    const { type: kind, name, inputs, outputs } = asObject(entry) ?? {};
    if ((kind !== 'function' && kind !== 'error' && kind !== 'event') || !isIdentifier(name)) return [];
    const parameters = parametersOf(inputs ?? []);
    return parameters === undefined ? [] : [itemOf(crypto, kind, name, parameters, parametersOf(outputs) ?? [])];
  });
}

/**
 * Parses a line such as `transfer(address to, uint256 amount) returns (bool)`. Event parameters may be `indexed`;
 * `(string denom,uint256 amount)[] coins` is a list of tuples. Throws for other text.
 */
export function itemOfLine(crypto: Keccak, kind: AbiItem['kind'], line: string): AbiItem {
  const [, name, inputs, outputs = ''] =
    /^(\w+)\((.*)\) returns \((.*)\)$/.exec(line) ?? /^(\w+)\((.*)\)$/.exec(line) ?? [];
  if (name === undefined || inputs === undefined) throw new Error(`invariant: ${line} is a signature`);
  return itemOf(crypto, kind, name, parametersOfLine(inputs), parametersOfLine(outputs));
}

function parametersOfLine(text: string): readonly AbiParameter[] {
  return partsOf(text).map((part) => {
    const [, members, plain = 'tuple', arrays = '', indexed, name = ''] =
      /^(?:\((.*)\)|(\w+))((?:\[[0-9]*\])*)(?: (indexed))?(?: (\w+))?$/.exec(part) ?? [];
    const type = typeOf(`${plain}${arrays}`, members === undefined ? [] : parametersOfLine(members));
    if (type === undefined) throw new Error(`invariant: ${part} is a parameter`);
    return { name, type, indexed: indexed !== undefined };
  });
}

/** Splits text at commas outside of parentheses. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/[(),]/g)) {
    if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    else if (depth === 0) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}

function itemOf(
  crypto: Keccak,
  kind: AbiItem['kind'],
  name: string,
  inputs: readonly AbiParameter[],
  outputs: readonly AbiParameter[],
): AbiItem {
  const hash = crypto.keccak256(utf8(`${name}(${inputs.map(({ type }) => typeText(type)).join(',')})`));
  return { kind, name, inputs, outputs, selector: hexData(kind === 'event' ? hash : hash.subarray(0, 4)) };
}
