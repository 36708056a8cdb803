import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Randomness } from '../../core/ports/time.js';
import { asObject } from '../../core/text/json-object.js';
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
    snapshots: join(home, 'data', 'snapshots'),
    verified: join(home, 'data', 'verified'),
    told: join(home, 'data', 'told'),
    upgradeInfo: join(home, 'data', 'upgrade-info.json'),
  } as const;
}

/** An ed25519 key: the 32 bytes that it is made from, and its public part. */
export interface MadeKey {
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A new key of random bytes. */
export function makeKey(host: {
  readonly randomness: Randomness;
  readonly signerOf: (seed: Uint8Array) => Pick<MadeKey, 'publicKey'>;
}): MadeKey {
  const seed = host.randomness.bytes(32);
  return { seed, publicKey: host.signerOf(seed).publicKey };
}

/** The 32-byte seed of the validator's key: read from the home; when absent, made by `make` and stored there. */
export function validatorSeed(path: string, crypto: Crypto, make: () => MadeKey): Uint8Array {
  if (existsSync(path)) return seedOf(readFileSync(path, 'utf8'), path);
  return keepValidatorKey(path, crypto, make());
}

/** Writes the validator's key, in place of the one that is there (CometBFT v0.38 `privval/file.go`); its seed. */
export function keepValidatorKey(path: string, crypto: Crypto, { seed, publicKey }: MadeKey): Uint8Array {
  const document = {
    address: upperHex(ed25519Address(crypto, publicKey)),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(publicKey).toString('base64') },
    priv_key: privateKeyJson({ seed, publicKey }),
  };
  writeFileWhole(path, `${JSON.stringify(document, undefined, 2)}\n`);
  return seed;
}

/**
 * The node id, 40 lower-case hex digits: the address of the key in `node_key.json`, which is made by `make` where there
 * is no file (CometBFT v0.38 `p2p/key.go`). Earlier builds wrote an id alone; it stays.
 */
export function nodeId(path: string, crypto: Crypto, make: () => MadeKey): string {
  if (existsSync(path)) {
    const { id, priv_key: key } = asObject(JSON.parse(readFileSync(path, 'utf8'))) ?? {};
    if (typeof id === 'string' && /^[0-9a-f]{40}$/.test(id)) return id;
    if (key !== undefined) return hex(ed25519Address(crypto, pairOf(key, path).subarray(32)));
  }
  const made = make();
  const id = hex(ed25519Address(crypto, made.publicKey));
  writeFileWhole(path, `${JSON.stringify({ id, priv_key: privateKeyJson(made) })}\n`);
  return id;
}

function seedOf(text: string, path: string): Uint8Array {
  return pairOf(asObject(JSON.parse(text))?.['priv_key'], path).slice(0, 32);
}

/** A private key in CometBFT's JSON: the seed, then the public key. */
function privateKeyJson({ seed, publicKey }: MadeKey) {
  return { type: 'tendermint/PrivKeyEd25519', value: Buffer.concat([seed, publicKey]).toString('base64') };
}

function pairOf(key: unknown, path: string): Uint8Array {
  const value = asObject(key)?.['value'];
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (bytes.length !== 64) throw new Error(`${path}: priv_key.value must be 64 bytes in base64`);
  return new Uint8Array(bytes);
}
