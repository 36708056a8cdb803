/**
 * Solidity's `console.log`: a call to an address without code, whose data is an encoded call of `log` (hardhat's
 * `console.sol`, forge-std's `console.sol` and `console2.sol`).
 */
import { hexData } from '../bytes/hex.js';
import { concat, utf8 } from '../bytes/bytes.js';
import { valueText, type NameOf } from './text.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { printable } from '../text/printable.js';
import type { Crypto } from '../ports/crypto.js';
import { type AbiValue, decodeParameters } from './decode.js';
import { type AbiParameter, typeOf } from './type.js';

/** Console address: the bytes spell `console.log`. */
export const CONSOLE_ADDRESS = concat(new Uint8Array(9), utf8('console.log'));

type Keccak = Pick<Crypto, 'keccak256'>;

/** Types of which `log` takes up to four in any combination. Older versions hashed the short integer names. */
const COMBINED: readonly (readonly string[])[] = [
  ['uint256', 'string', 'bool', 'address'],
  ['uint', 'string', 'bool', 'address'],
];
const MOST_COMBINED = 4;
const FIXED_BYTES = Array.from({ length: 32 }, (_, index) => `bytes${index + 1}`);
const SINGLE: readonly (readonly [name: string, type: string])[] = [
  ...['int256', 'int', 'bytes', ...FIXED_BYTES].map((type): [string, string] => ['log', type]),
  ...['Int', 'Uint'].flatMap((name): [string, string][] => [
    [`log${name}`, `${name.toLowerCase()}256`],
    [`log${name}`, name.toLowerCase()],
  ]),
  ...['string', 'bool', 'address', 'bytes', ...FIXED_BYTES].map((type): [string, string] => [
    `log${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    type,
  ]),
];

let selectors: ReadonlyMap<string, readonly AbiParameter[]> | undefined;

/** Line that a call to the console prints; undefined for data that is not a call of `log`. */
export function consoleLine(crypto: Keccak, data: Uint8Array, nameOf: NameOf): string | undefined {
  selectors ??= consoleSelectors(crypto);
  const parameters = selectors.get(hexData(data.subarray(0, 4)));
  const values = parameters && decodeParameters(parameters, data.subarray(4));
  if (values === undefined) return undefined;
  const line = formatted(
    values.map(({ value }) => value),
    nameOf,
  );
  return printable(line.slice(0, FIXED_LIMITS.consoleCharacters));
}

function consoleSelectors(crypto: Keccak): ReadonlyMap<string, readonly AbiParameter[]> {
  const found = new Map<string, readonly AbiParameter[]>();
  const add = (name: string, types: readonly string[]): void => {
    const parameters = types.flatMap((text) => {
      const type = typeOf(text);
      return type === undefined ? [] : [{ name: '', type, indexed: false }];
    });
    found.set(hexData(crypto.keccak256(utf8(`${name}(${types.join(',')})`)).subarray(0, 4)), parameters);
  };
  for (const types of COMBINED) {
    let lists: readonly (readonly string[])[] = [[]];
    for (let count = 0; count <= MOST_COMBINED; count += 1) {
      for (const list of lists) add('log', list);
      lists = lists.flatMap((list) => types.map((type) => [...list, type]));
    }
  }
  for (const [name, type] of SINGLE) add(name, [type]);
  add('log', ['string', 'int256']);
  add('log', ['string', 'int']);
  return found;
}

/**
 * Formats like Node's `util.format`: `%s`, `%d`, `%i`, `%o` and `%x` in a leading string consume the following
 * values.
 */
function formatted(values: readonly AbiValue[], nameOf: NameOf): string {
  const [first, ...rest] = values.map((value) => ({ value, text: plainText(value, nameOf) }));
  if (first === undefined) return '';
  let next = 0;
  const head =
    first.value.kind === 'string'
      ? first.text.replaceAll(/%([sdiox%])/g, (sign, letter: string) => {
          if (letter === '%') return rest.length === 0 ? sign : '%';
          const value = rest[next];
          if (value === undefined) return sign;
          next += 1;
          return letter === 'x' && value.value.kind === 'number' ? `0x${value.value.value.toString(16)}` : value.text;
        })
      : first.text;
  return [head, ...rest.slice(next).map(({ text }) => text)].join(' ');
}

function plainText(value: AbiValue, nameOf: NameOf): string {
  return value.kind === 'string' ? value.value : valueText(value, nameOf);
}
