/** EIP-712: digest of typed structured data, as wallets compute it for `eth_signTypedData_v4`. */
import { concat, concatAll, utf8 } from '../bytes/bytes.js';
import { asObject } from '../text/json-object.js';
import type { Crypto } from '../ports/crypto.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { wordOf } from '../bytes/big-endian.js';
import { FIXED_LIMITS } from '../limits/limits.js';

interface Member {
  readonly name: string;
  readonly type: string;
}

const DOMAIN = 'EIP712Domain';
/** Domain fields in the order of their type (EIP-712, "Definition of domainSeparator"). */
const DOMAIN_MEMBERS: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];
const EMPTY_STRUCT = new Uint8Array(32);
const VERSION = Uint8Array.of(0x19, 0x01);

type Types = ReadonlyMap<string, readonly Member[]>;

/** Thrown when a document has no digest; caught in this file. */
class Malformed extends Error {}

/**
 * `wallet`: an absent struct is 32 zero bytes, and values without a field in their type are ignored. `geth`: both are
 * errors (go-ethereum `signer/core/apitypes`).
 */
export type TypedDataRules = 'wallet' | 'geth';

/**
 * Returns the digest to sign (32 bytes), or the problem with the document. A document without the type `EIP712Domain`
 * gets it from the fields of its domain, as in viem (`getTypesForEIP712Domain`), ethers and anvil.
 */
export function typedDataDigest(
  crypto: Pick<Crypto, 'keccak256'>,
  document: unknown,
  rules: TypedDataRules = 'wallet',
): { readonly ok: true; readonly digest: Uint8Array } | { readonly ok: false; readonly message: string } {
  try {
    const { types: written, primaryType, domain, message } = objectOf(document, 'typed data');
    const types = withDomain(readTypes(written), domain);
    if (typeof primaryType !== 'string' || !types.has(primaryType))
      throw new Malformed('primaryType is not one of the types');
    const hasher = new StructHasher(crypto, types, rules);
    const separator = hasher.struct(DOMAIN, domain);
    const body = primaryType === DOMAIN ? new Uint8Array(0) : hasher.struct(primaryType, message);
    return { ok: true, digest: crypto.keccak256(concat(VERSION, separator, body)) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { ok: false, message: error.message };
  }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  const object = asObject(value);
  if (object === undefined) throw new Malformed(`${what} is not an object`);
  return object;
}

function readTypes(written: unknown): Types {
  const types = new Map<string, readonly Member[]>();
  let count = 0;
  for (const [name, members] of Object.entries(objectOf(written, 'types'))) {
    if (!Array.isArray(members))
      throw new Malformed(`type ${name.slice(0, FIXED_LIMITS.typedDataName)} is not a list of members`);
    count += members.length;
    if (types.size >= FIXED_LIMITS.typedDataTypes || count > FIXED_LIMITS.typedDataMembers)
      throw new Malformed(`more than ${FIXED_LIMITS.typedDataTypes} types or ${FIXED_LIMITS.typedDataMembers} members`);
    types.set(
      nameOf(name),
      members.map((member: unknown) => {
        const fields = objectOf(member, 'a member');
        return { name: nameOf(fields['name']), type: nameOf(fields['type']) };
      }),
    );
  }
  return types;
}

/** Adds the domain's type, made from the domain's fields, unless the document defines it. */
function withDomain(types: Types, domain: unknown): Types {
  if (types.has(DOMAIN)) return types;
  const object = objectOf(domain, 'domain');
  return new Map([...types, [DOMAIN, DOMAIN_MEMBERS.filter(({ name }) => (object[name] ?? null) !== null)]]);
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > FIXED_LIMITS.typedDataName)
    throw new Malformed('a name or type must be a string of 1 to 256 characters');
  return value;
}

class StructHasher {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #types: Types;
  readonly #rules: TypedDataRules;
  readonly #hashes = new Map<string, Uint8Array>();
  #depth = 0;
  #words = 0;
  #described = 0;

  constructor(crypto: Pick<Crypto, 'keccak256'>, types: Types, rules: TypedDataRules) {
    this.#crypto = crypto;
    this.#types = types;
    this.#rules = rules;
  }

  struct(type: string, value: unknown): Uint8Array {
    const object = objectOf(value, type);
    const members = this.#types.get(type) ?? [];
    const { length } = Object.keys(object);
    if (this.#rules === 'geth' && length > members.length)
      throw new Malformed(`there is extra data provided in the message (${members.length} < ${length})`);
    const words = members.map((member) => this.#word(member.type, object[member.name], member.name));
    return this.#crypto.keccak256(concatAll([this.#typeHash(type), ...words]));
  }

  #typeHash(type: string): Uint8Array {
    const known = this.#hashes.get(type);
    if (known !== undefined) return known;
    const text = [type, ...this.#dependencies(type)].map((name) => this.#typeText(name)).join('');
    this.#described += text.length;
    if (this.#described > FIXED_LIMITS.typedDataDescribed)
      throw new Malformed(`more than ${FIXED_LIMITS.typedDataDescribed} characters of types to be hashed`);
    const hash = this.#crypto.keccak256(utf8(text));
    this.#hashes.set(type, hash);
    return hash;
  }

  /** Type text of a struct. geth cuts off the last character before the end, even when it is not a comma. */
  #typeText(name: string): string {
    const members = this.#types.get(name) ?? [];
    if (members.length === 0) return this.#rules === 'geth' ? `${name})` : `${name}()`;
    return `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`;
  }

  /** Structs that a struct refers to, in alphabetical order, without itself. */
  #dependencies(type: string): readonly string[] {
    const found = new Set([type]);
    // The set's iterator also visits members that are added during the iteration.
    for (const name of found) {
      for (const member of this.#types.get(name) ?? []) {
        const element = member.type.replace(/(\[\d*\])+$/u, '');
        if (this.#types.has(element)) found.add(element);
      }
    }
    found.delete(type);
    return [...found].sort();
  }

  /** Encodes a struct member as 32 bytes. */
  #word(type: string, value: unknown, name: string): Uint8Array {
    if (this.#depth >= FIXED_LIMITS.typedDataDepth)
      throw new Malformed(`more than ${FIXED_LIMITS.typedDataDepth} structs and arrays inside each other`);
    if (this.#words >= FIXED_LIMITS.typedDataValues)
      throw new Malformed(`more than ${FIXED_LIMITS.typedDataValues} values`);
    this.#words += 1;
    this.#depth += 1;
    const word = this.#wordOfKind(type, value, name);
    this.#depth -= 1;
    return word;
  }

  #wordOfKind(type: string, value: unknown, name: string): Uint8Array {
    const array = /^(.*)\[(\d*)\]$/u.exec(type);
    if (array !== null) return this.#array(array[1] ?? '', array[2] ?? '', value, name);
    if (this.#types.has(type))
      return this.#rules === 'wallet' && (value ?? null) === null ? EMPTY_STRUCT : this.struct(type, value);
    if (type === 'string' && typeof value === 'string') return this.#crypto.keccak256(utf8(value));
    if (type === 'bytes') return this.#crypto.keccak256(bytesOf(value, undefined, name));
    if (type === 'bool' && typeof value === 'boolean') return wordOf(value ? 1n : 0n);
    if (type === 'address') return wordOfBytes(bytesOf(value, 20, name), 'left');
    const fixed = /^bytes([1-9]|[12]\d|3[0-2])$/u.exec(type);
    if (fixed !== null) return wordOfBytes(bytesOf(value, Number(fixed[1]), name), 'right');
    const integer = /^(u?)int(\d{1,3})?$/u.exec(type);
    if (integer !== null) return integerWord(value, BigInt(integer[2] ?? '256'), integer[1] === '', name);
    throw new Malformed(`${name} is no ${type}`);
  }

  #array(type: string, length: string, value: unknown, name: string): Uint8Array {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw new Malformed(`${name} is no ${type}[${length}]`);
    return this.#crypto.keccak256(concatAll(value.map((element: unknown) => this.#word(type, element, name))));
  }
}

function bytesOf(value: unknown, length: number | undefined, name: string): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? bytesOfDigits(value.slice(2)) : undefined;
  if (bytes === undefined || (length !== undefined && bytes.length !== length))
    throw new Malformed(`${name} is no hex of ${length ?? 'whole'} bytes`);
  return bytes;
}

function wordOfBytes(bytes: Uint8Array, pad: 'left' | 'right'): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, pad === 'left' ? 32 - bytes.length : 0);
  return word;
}

function integerWord(value: unknown, bits: bigint, signed: boolean, name: string): Uint8Array {
  const number = integerOf(value);
  if (bits === 0n || bits > 256n || bits % 8n !== 0n) throw new Malformed(`${name} has no width of whole bytes`);
  const [lowest, above] = signed ? [-(1n << (bits - 1n)), 1n << (bits - 1n)] : [0n, 1n << bits];
  if (number === undefined || number < lowest || number >= above)
    throw new Malformed(`${name} is no integer of ${bits} bits`);
  return wordOf(BigInt.asUintN(256, number));
}

/** Parses a number, or decimal or hex text, of at most 256 bits. */
function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(-?\d{1,78}|0x[\da-fA-F]{1,64})$/u.test(value) ? BigInt(value) : undefined;
}
