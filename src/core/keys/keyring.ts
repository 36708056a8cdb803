import { nearest } from '../config/nearest.js';
import { hex } from '../app/bytes.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import { deriveAccount, type KeyAccount } from './accounts.js';

/** Files of one keyring directory, by name without a path. Written with mode 0600: they hold private keys. */
export interface KeyFiles {
  read(file: string): string | undefined;
  write(file: string, text: string): void;
  list(): readonly string[];
}

export type KeyringResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

/** The `test` keyring: unencrypted files `<name>.json`, for development only. */
export interface Keyring {
  add(name: string, privateKey: Uint8Array): KeyringResult<KeyAccount>;
  /** By name or by either spelling of the address. */
  find(nameOrAddress: string): KeyringResult<KeyAccount>;
  list(): KeyringResult<readonly KeyAccount[]>;
}

const NAME = /^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,63}$/;
const PRIVATE_KEY = /"private_key":\s*"0x([0-9a-fA-F]{64})"/;

/** Keyring over a directory, with addresses spelled with the given prefix. */
export function createKeyring(crypto: KeyCrypto, files: KeyFiles, bech32Prefix: string): Keyring {
  const load = (name: string): KeyringResult<KeyAccount> => {
    const text = NAME.test(name) ? files.read(`${name}.json`) : undefined;
    if (text === undefined) return { ok: false, message: `key not found: ${name}` };
    const digits = PRIVATE_KEY.exec(text)?.[1];
    if (digits === undefined) return { ok: false, message: `key file ${name}.json holds no private key` };
    return { ok: true, value: deriveAccount(crypto, name, bytesOf(digits), bech32Prefix) };
  };
  const names = (): readonly string[] => files.list().filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5)).toSorted();
  const list = (): KeyringResult<readonly KeyAccount[]> => {
    const accounts: KeyAccount[] = [];
    for (const name of names()) {
      const loaded = load(name);
      if (!loaded.ok) return loaded;
      accounts.push(loaded.value);
    }
    return { ok: true, value: accounts };
  };
  return {
    add(name, privateKey) {
      if (!NAME.test(name)) return { ok: false, message: `invalid key name: ${name}` };
      if (files.read(`${name}.json`) !== undefined) return { ok: false, message: `key ${name} exists already` };
      const account = deriveAccount(crypto, name, privateKey, bech32Prefix);
      files.write(`${name}.json`, `${JSON.stringify({ name, type: 'eth_secp256k1', address: account.hex, private_key: `0x${hex(privateKey)}` }, null, 2)}\n`);
      return { ok: true, value: account };
    },
    find(nameOrAddress) {
      const named = load(nameOrAddress);
      if (named.ok) return named;
      const all = list();
      if (!all.ok) return all;
      const found = all.value.find((account) => isAddressOf(account, nameOrAddress));
      if (found !== undefined) return { ok: true, value: found };
      const hint = nearest(nameOrAddress, names());
      return { ok: false, message: `${named.message}${hint === undefined ? '' : `; did you mean ${hint}?`}` };
    },
    list,
  };
}

/** True for either spelling of the account's address. */
export function isAddressOf(account: KeyAccount, text: string): boolean {
  return text === account.bech32 || text.toLowerCase() === account.hex.toLowerCase();
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
