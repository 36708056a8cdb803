import { equal } from '../bytes/bytes.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { asObject } from '../text/json-object.js';
import type { Crypto } from '../ports/crypto.js';
import { isIdentifier } from './identifier.js';
import { abiItems, type AbiItem } from './item.js';

/** Code with places that differ from deployment to deployment. */
export interface CodePattern {
  readonly bytes: Uint8Array;
  /**
   * Start of each place that a library's address fills (20 bytes), which the compiler wrote as `__$...$__`, in order
   * and apart from each other.
   */
  readonly links: readonly number[];
}

/** A compiled contract: its name, its interface, and its code as it is sent and as it is deployed. */
export interface Contract {
  readonly name: string;
  readonly items: readonly AbiItem[];
  /** Undefined where the file does not hold it, as of interfaces. */
  readonly creation: CodePattern | undefined;
  readonly deployed: CodePattern | undefined;
}

/** Bytes that a start of a link takes in memory. */
const NUMBER_BYTES = 8;
const LINK_BYTES = 20;
const LINK = /__.{36}__/g;

/**
 * The contract in an artifact of hardhat (`contractName`, `bytecode`, `deployedBytecode` as texts) or of foundry (the
 * same as objects with `object`), or in a bare list of ABI items, which has the name of its file. Undefined for any
 * other JSON, and for an interface without anything to decode.
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

/** About the bytes that a contract takes in memory: its code, the links in it, and its interface as JSON. */
export function contractBytes({ name, items, creation, deployed }: Contract): number {
  return name.length + JSON.stringify(items).length + patternBytes(creation) + patternBytes(deployed);
}

function patternBytes(pattern: CodePattern | undefined): number {
  return pattern === undefined ? 0 : pattern.bytes.length + NUMBER_BYTES * pattern.links.length;
}

/** The pattern of a text or of an object with `object`; undefined without code, and for a link within a byte. */
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
 * True when the code at an address was deployed from the pattern: equal bytes, but for the addresses of libraries and
 * for immutable values, which the compiler leaves zero.
 */
export function isDeployedFrom({ bytes }: CodePattern, code: Uint8Array): boolean {
  if (bytes.length !== code.length) return false;
  for (let at = 0; at < bytes.length; at += 1) {
    const expected = bytes[at];
    if (expected !== 0 && expected !== code[at]) return false;
  }
  return true;
}

/** True when the data of a creating transaction begins with the pattern; arguments of the constructor follow it. */
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
