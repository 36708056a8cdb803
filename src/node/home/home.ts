import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Randomness } from '../../core/ports/time.js';
import { ed25519Address } from '../../core/comet/address.js';
import { upperHex, hex } from '../../core/bytes/hex.js';
import { writeFileWhole } from './write-file.js';

/** Paths of the files in a home directory, under the names of CometBFT and the SDK where those have one. */
export function homePaths(home: string) {
  return {
    genesis: join(home, 'config', 'genesis.json'),
    options: join(home, 'config', 'chronicled.toml'),
    validatorKey: join(home, 'config', 'priv_validator_key.json'),
    nodeKey: join(home, 'config', 'node_key.json'),
    database: join(home, 'data', 'chronicle.db'),
    witness: join(home, 'data', 'head.witness'),
    upgradeInfo: join(home, 'data', 'upgrade-info.json'),
  } as const;
}

/** The 32-byte seed of the validator's key: read from the home; when absent, made by `make` and stored there. */
export function validatorSeed(
  path: string,
  crypto: Crypto,
  make: () => { readonly seed: Uint8Array; readonly publicKey: Uint8Array },
): Uint8Array {
  if (existsSync(path)) return seedOf(readFileSync(path, 'utf8'), path);
  const { seed, publicKey } = make();
  const document = {
    address: upperHex(ed25519Address(crypto, publicKey)),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(publicKey).toString('base64') },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value: Buffer.concat([seed, publicKey]).toString('base64') },
  };
  writeFileWhole(path, `${JSON.stringify(document, undefined, 2)}\n`);
  return seed;
}

/** The node id: 40 lower-case hex digits, random and stored. */
export function nodeId(path: string, randomness: Randomness): string {
  if (existsSync(path)) {
    const id: unknown = (JSON.parse(readFileSync(path, 'utf8')) as { readonly id?: unknown }).id;
    if (typeof id === 'string' && /^[0-9a-f]{40}$/.test(id)) return id;
  }
  const id = hex(randomness.bytes(20));
  writeFileWhole(path, `${JSON.stringify({ id })}\n`);
  return id;
}

function seedOf(text: string, path: string): Uint8Array {
  const key = (JSON.parse(text) as { readonly priv_key?: { readonly value?: unknown } }).priv_key?.value;
  const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 64) throw new Error(`${path}: priv_key.value must be 64 bytes in base64`);
  return new Uint8Array(bytes.subarray(0, 32));
}
