import { equal } from '../bytes/bytes.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { asObject } from '../text/json-object.js';
import type { Crypto } from '../ports/crypto.js';
import { isIdentifier } from './identifier.js';
import { abiItems, type AbiItem } from './item.js';

/** Code in which some places vary between deployments. */
export interface CodePattern {
  readonly bytes: Uint8Array;
  /**
   * Offsets of library addresses (20 bytes), which the compiler writes as `__$...$__`; ascending and not overlapping.
   */
  readonly links: readonly number[];
}

/** A compiled contract: name, ABI, creation code and deployed code. */
export interface Contract {
  readonly name: string;
  readonly items: readonly AbiItem[];
  /** Undefined when the file lacks it, for example for interfaces. */
  readonly creation: CodePattern | undefined;
  readonly deployed: CodePattern | undefined;
}

/** Bytes of memory for one link offset. */
const NUMBER_BYTES = 8;
const LINK_BYTES = 20;
const LINK = /__.{36}__/g;

/**
 * Reads a contract from an artifact of hardhat (`contractName`, `bytecode`, `deployedBytecode` as strings) or foundry
 * (same fields as objects with `object`), or from a bare ABI list, which is named after its file. Undefined for other
 * JSON, and for an ABI without decodable items.
 */
export function contractOf(crypto: Pick<Crypto, 'keccak256'>, json: unknown, fileName: string): Contract | undefined {
  const artifact = asObject(json) ?? {};
  const items = abiItems(crypto, Array.isArray(json) ? json : artifact['abi']);
  const creation = patternOf(artifact['bytecode']);
  const deployed = patternOf(artifact['deployedBytecode']);
  if (items.length === 0 && deployed === undefined) return undefined;
  const named = artifact['contractName'];
  return { name: isIdentifier(named) ? named : fileName, items, creation, deployed };
}

/** Approximate memory of a contract in bytes: code, links, and ABI as JSON. */
export function contractBytes({ name, items, creation, deployed }: Contract): number {
  return name.length + JSON.stringify(items).length + patternBytes(creation) + patternBytes(deployed);
}

function patternBytes(pattern: CodePattern | undefined): number {
  return pattern === undefined ? 0 : pattern.bytes.length + NUMBER_BYTES * pattern.links.length;
}

/**
 * Reads code from a string or an object with `object`; undefined without code, and for a link that is not
 * byte-aligned.
 */
function patternOf(json: unknown): CodePattern | undefined {
  const text = typeof json === 'string' ? json : asObject(json)?.['object'];
  if (typeof text !== 'string') return undefined;
  const digits = text.replace(/^0x/, '');
  const links = [...digits.matchAll(LINK)].map(({ index }) => index / 2);
  if (!links.every(Number.isInteger)) return undefined;
  const bytes = bytesOfDigits(digits.replaceAll(LINK, '0'.repeat(2 * LINK_BYTES)));
  return bytes === undefined || bytes.length === 0 ? undefined : { bytes, links };
}

/**
 * True when code at an address was deployed from the pattern: equal bytes except library addresses and immutables,
 * which the compiler leaves zero.
 */
export function isDeployedFrom({ bytes }: CodePattern, code: Uint8Array): boolean {
  if (bytes.length !== code.length) return false;
  for (let at = 0; at < bytes.length; at += 1) {
    const expected = bytes[at];
    if (expected !== 0 && expected !== code[at]) return false;
  }
  return true;
}

/** True when a creation transaction's data begins with the pattern; constructor arguments follow it. */
export function isCreationBy({ bytes, links }: CodePattern, data: Uint8Array): boolean {
  if (data.length < bytes.length) return false;
  let from = 0;
  for (const link of links) {
    if (!isSameBetween(bytes, data, from, link)) return false;
    from = link + LINK_BYTES;
  }
  return isSameBetween(bytes, data, from, bytes.length);
}

function isSameBetween(left: Uint8Array, right: Uint8Array, from: number, to: number): boolean {
  return equal(left.subarray(from, to), right.subarray(from, to));
}
