import { jsonOf } from '../text/json-object.js';
import { nearest } from '../text/nearest.js';
import { encodeAddress } from '../sdk/codec/address.js';
import { hex } from '../bytes/hex.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import type { KeyAccount } from './accounts.js';
import { checksumAddress } from './address.js';
import {
  type AccountKey,
  addressOfKey,
  compressed,
  parsePublicKeyJson,
  publicKeyJson,
} from '../sdk/signing/account-key.js';

/** Files of a keyring directory, by file name. They have mode 0600, because they contain private keys. */
export interface KeyFiles {
  read(file: string): string | undefined;
  /** Throws when the file exists. */
  write(file: string, text: string): void;
  remove(file: string): void;
  list(): readonly string[];
}

export type KeyringResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** `local`: private key; `offline`: public key only; `multi`: multisig public key. */
export type KeyType = 'local' | 'offline' | 'multi';
export type SigningAlgorithm = 'eth_secp256k1' | 'secp256k1';

/** A key of a keyring with both forms of its address. */
export interface KeyEntry {
  readonly name: string;
  readonly type: KeyType;
  readonly key: AccountKey;
  readonly address: Uint8Array;
  readonly bech32: string;
  /** EIP-55 checksummed 0x address. */
  readonly hex: string;
  /** Private key, 32 bytes; undefined unless `local`. */
  readonly privateKey: Uint8Array | undefined;
}

export interface Keyring {
  /** Stores a private key. */
  add(name: string, privateKey: Uint8Array, algorithm?: SigningAlgorithm): KeyringResult<KeyEntry>;
  /** Stores a public key or a multisig key. */
  addPublic(name: string, key: AccountKey): KeyringResult<KeyEntry>;
  /** Finds a key by name or by either form of its address. */
  find(nameOrAddress: string): KeyringResult<KeyEntry>;
  remove(name: string): KeyringResult<KeyEntry>;
  rename(from: string, to: string): KeyringResult<KeyEntry>;
  list(): KeyringResult<readonly KeyEntry[]>;
}

const NAME = /^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,63}$/;

/** Content of a key file, without addresses. */
interface KeyRecord {
  readonly type: KeyType;
  readonly key: AccountKey;
  readonly privateKey: Uint8Array | undefined;
}

/** Creates a keyring over a directory with one file `<name>.json` per key; bech32 addresses use the given prefix. */
export function createKeyring(crypto: KeyCrypto, files: KeyFiles, bech32Prefix: string): Keyring {
  const entryOf = (name: string, record: KeyRecord): KeyringResult<KeyEntry> =>
    entryOfRecord(crypto, name, record, bech32Prefix);
  const load = (name: string): KeyringResult<KeyEntry> => {
    const text = NAME.test(name) ? files.read(`${name}.json`) : undefined;
    if (text === undefined) return { ok: false, message: `key not found: ${name}` };
    const record = parseRecord(crypto, text);
    return record === undefined ? { ok: false, message: `key file ${name}.json holds no key` } : entryOf(name, record);
  };
  const names = (): readonly string[] =>
    files
      .list()
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -5))
      .toSorted();
  const list = (): KeyringResult<readonly KeyEntry[]> => {
    const entries: KeyEntry[] = [];
    for (const name of names()) {
      const loaded = load(name);
      if (!loaded.ok) return loaded;
      entries.push(loaded.value);
    }
    return { ok: true, value: entries };
  };
  const keep = (name: string, record: KeyRecord): KeyringResult<KeyEntry> => {
    if (!NAME.test(name)) return { ok: false, message: `invalid key name: ${name}` };
    if (files.read(`${name}.json`) !== undefined) return { ok: false, message: `key ${name} exists already` };
    const entry = entryOf(name, record);
    if (entry.ok) files.write(`${name}.json`, recordText(entry.value));
    return entry;
  };
  return {
    add: (name, privateKey, algorithm = 'eth_secp256k1') => keep(name, localRecord(crypto, privateKey, algorithm)),
    addPublic: (name, key) => keep(name, publicRecord(key)),
    find(nameOrAddress) {
      const named = load(nameOrAddress);
      if (named.ok) return named;
      const all = list();
      if (!all.ok) return all;
      const found = all.value.find((entry) => isAddressOf(entry, nameOrAddress));
      if (found !== undefined) return { ok: true, value: found };
      const hint = nearest(nameOrAddress, names());
      return { ok: false, message: `${named.message}${hint === undefined ? '' : `; did you mean ${hint}?`}` };
    },
    remove(name) {
      const found = load(name);
      if (found.ok) files.remove(`${name}.json`);
      return found;
    },
    rename(from, to) {
      const found = load(from);
      if (!found.ok) return found;
      const kept = keep(to, found.value);
      if (kept.ok) files.remove(`${from}.json`);
      return kept;
    },
    list,
  };
}

function entryOfRecord(
  crypto: KeyCrypto,
  name: string,
  record: KeyRecord,
  bech32Prefix: string,
): KeyringResult<KeyEntry> {
  const address = addressOfKey(crypto, record.key);
  if (address === undefined) return { ok: false, message: `key ${name} is no point of its curve` };
  const bech32 = encodeAddress(bech32Prefix, address);
  return { ok: true, value: { ...record, name, address, bech32, hex: checksumAddress(crypto, address) } };
}

/** Entry of a private key that is not stored: the output of `--dry-run`. */
export function entryOfPrivateKey(
  crypto: KeyCrypto,
  name: string,
  privateKey: Uint8Array,
  algorithm: SigningAlgorithm,
  bech32Prefix: string,
): KeyringResult<KeyEntry> {
  return entryOfRecord(crypto, name, localRecord(crypto, privateKey, algorithm), bech32Prefix);
}

/** Entry of a public key that is not stored; an error for a point that is not on the curve. */
export function entryOfPublicKey(
  crypto: KeyCrypto,
  name: string,
  key: AccountKey,
  bech32Prefix: string,
): KeyringResult<KeyEntry> {
  return entryOfRecord(crypto, name, publicRecord(key), bech32Prefix);
}

/** Converts a derived account to a keyring entry. */
export function entryOfAccount({ name, bech32, hex: address, privateKey, publicKey }: KeyAccount): KeyEntry {
  return {
    name,
    type: 'local',
    key: { kind: 'eth_secp256k1', key: publicKey },
    address: bytesOf(address.slice(2)),
    bech32,
    hex: address,
    privateKey,
  };
}

function localRecord(crypto: KeyCrypto, privateKey: Uint8Array, algorithm: SigningAlgorithm): KeyRecord {
  return { type: 'local', key: { kind: algorithm, key: compressed(crypto.publicPoint(privateKey)) }, privateKey };
}

function recordText({ name, key, hex: address, privateKey }: KeyEntry): string {
  const record =
    privateKey === undefined
      ? { name, type: 'public', address, public_key: publicKeyJson(key) }
      : { name, type: key.kind, address, private_key: `0x${hex(privateKey)}` };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function parseRecord(crypto: KeyCrypto, text: string): KeyRecord | undefined {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, private_key: digits, public_key: publicKey }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof digits === 'string' && /^0x[0-9a-fA-F]{64}$/.test(digits))
    return localRecord(crypto, bytesOf(digits.slice(2)), type === 'secp256k1' ? 'secp256k1' : 'eth_secp256k1');
  const key = parsePublicKeyJson(publicKey);
  return key === undefined ? undefined : publicRecord(key);
}

function publicRecord(key: AccountKey): KeyRecord {
  return { type: key.kind === 'multisig' ? 'multi' : 'offline', key, privateKey: undefined };
}

/** True for either form of the account's address. */
export function isAddressOf(account: Pick<KeyEntry, 'bech32' | 'hex'>, text: string): boolean {
  return text === account.bech32 || text.toLowerCase() === account.hex.toLowerCase();
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
