/** Contract ABIs: added by the user (stored in this browser), known to the node, and well-known ones. */
import { signal } from '@preact/signals';
import type { Contract } from '../../../../core/abi/contract.js';
import { type Decoded, type DecodedCall, Interfaces } from '../../../../core/abi/interfaces.js';
import { isIdentifier } from '../../../../core/abi/identifier.js';
import { type StorageLayout, storageLayoutOf } from '../../../../core/abi/storage-layout.js';
import { abiItems } from '../../../../core/abi/item.js';
import { asObject } from '../../../../core/text/json-object.js';
import { bytesOf, crypto } from './crypto.js';
import { type NodeContract, nodeContract, tellNode, suppliedContract, suppliedContracts } from './node-contracts.js';
import { facts } from './store.js';

/** A contract with an ABI added by the user; `abi` is compiler JSON. */
export interface GivenContract {
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Storage layout, as the compiler wrote it. */
  readonly storageLayout?: unknown;
}

/** Maximum length of an ABI file in characters. */
const ABI_CHARACTERS = 2_000_000;
const NAME_CHARACTERS = 60;

/** Changes when an ABI is added or removed. */
export const given = signal(0);

/** Parses an ABI, or a compiler artifact with one. Throws for another text. */
export function readAbi(text: string, fileName = ''): GivenContract {
  const json = readJson(text);
  const artifact = Array.isArray(json) ? { abi: json } : (asObject(json) ?? {});
  const { abi, contractName, storageLayout } = artifact as {
    readonly abi?: unknown;
    readonly contractName?: unknown;
    readonly storageLayout?: unknown;
  };
  if (!Array.isArray(abi)) throw new Error('this JSON has no list "abi"');
  const layout = storageLayoutOf(storageLayout) === undefined ? {} : { storageLayout };
  if (abiItems(crypto, abi).length === 0 && !('storageLayout' in layout))
    throw new Error('this ABI has no function, event or error');
  const name = isIdentifier(contractName) ? contractName : fileName.replace(/(\.abi)?\.json$/, '');
  return { name: name.slice(0, NAME_CHARACTERS) || 'Contract', abi, ...layout };
}

/** Parses a storage layout, or a compiler artifact with one. Throws for another text. */
export function readLayout(text: string): unknown {
  const json = readJson(text);
  const layout = asObject(json)?.['storageLayout'] ?? json;
  if (storageLayoutOf(layout) === undefined) throw new Error('this JSON has no layout with "storage" and "types"');
  return layout;
}

function readJson(text: string): unknown {
  if (text.length > ABI_CHARACTERS) throw new Error(`the text is longer than ${ABI_CHARACTERS} characters`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('this is not JSON');
  }
}

/** Stores an ABI for a contract of this chain in this browser, and in a dev node; undefined removes it. */
export function keepAbi(address: string, contract: GivenContract | undefined): void {
  if (contract === undefined) localStorage.removeItem(keyOf(address));
  else localStorage.setItem(keyOf(address), JSON.stringify(contract));
  given.value += 1;
  // ignore a node that refuses it: this browser has it
  tellNode(address, contract).catch(() => undefined);
}

/** An ABI and its source. */
export interface InterfaceOf extends GivenContract {
  readonly origin: 'reader' | NodeContract['origin'];
}

/** The ABI of a contract: the user's, else the node's; undefined if there is none. */
export function abiOf(address: string): InterfaceOf | undefined {
  const own = givenOf(address);
  return own === undefined ? nodeContract(address) : { ...own, origin: 'reader' };
}

/** The storage layout of a contract; undefined if it is unknown. */
export function layoutOf(address: string): StorageLayout | undefined {
  return storageLayoutOf(abiOf(address)?.storageLayout ?? nodeContract(address)?.storageLayout);
}

/** Name of a contract whose ABI is already loaded; does not ask the node. */
export function contractName(address: string): string | undefined {
  return givenOf(address)?.name ?? suppliedContract(address)?.name;
}

/** The user's ABI for a contract; undefined if there is none. */
function givenOf(address: string): GivenContract | undefined {
  void given.value;
  const text = localStorage.getItem(keyOf(address));
  if (text === null) return undefined;
  try {
    return readAbi(text) && (JSON.parse(text) as GivenContract);
  } catch {
    return undefined;
  }
}

/** Contracts of this chain whose ABI is already loaded. */
export function contractNames(): readonly { readonly address: string; readonly name: string }[] {
  void given.value;
  const start = keyOf('');
  const own = Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .flatMap((key) => {
      const address = key.slice(start.length);
      const contract = givenOf(address);
      return contract === undefined ? [] : [{ address, name: contract.name }];
    });
  return [...own, ...suppliedContracts().filter(({ address }) => givenOf(address) === undefined)];
}

function keyOf(address: string): string {
  return `chronicle-abi:${facts.value?.chain_id ?? ''}:${address.toLowerCase()}`;
}

const known = new Interfaces(crypto);

/** The contract in the decoders' form; undefined without an ABI. */
function contractAt(address: string | null | undefined): Contract | undefined {
  const one = address == null ? undefined : abiOf(address);
  return one && { name: one.name, items: abiItems(crypto, one.abi), creation: undefined, deployed: undefined };
}

/** Decodes call data; undefined for an unknown function. */
export function decodeCall(to: string | null | undefined, data: string): DecodedCall | undefined {
  const bytes = bytesOf(data);
  return bytes === undefined || bytes.length < 4 ? undefined : known.call(bytes, contractAt(to));
}

/** Function name of a selector in hex; undefined if unknown. */
export function functionName(to: string, selector: string): string | undefined {
  const bytes = bytesOf(selector);
  return bytes && known.functionName(bytes, contractAt(to));
}

/** Decodes revert data; undefined for an unknown error. */
export function decodeError(to: string | null | undefined, data: string): Decoded | undefined {
  const bytes = bytesOf(data);
  return bytes === undefined || bytes.length < 4 ? undefined : known.error(bytes, contractAt(to));
}

/** Decodes a log; undefined for an unknown event. */
export function decodeEvent(log: {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}): Decoded | undefined {
  const topics = log.topics.map(bytesOf);
  const data = bytesOf(log.data);
  if (data === undefined || topics.some((topic) => topic === undefined)) return undefined;
  return known.event(
    topics.filter((topic) => topic !== undefined),
    data,
    contractAt(log.address),
  );
}
