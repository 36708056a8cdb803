import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { strictBase64 } from '../../bytes/strict-base64.js';
import { concat, EMPTY, utf8 } from '../../bytes/bytes.js';
import { MessageWriter } from '../../bytes/message-writer.js';
import { decompress } from './secp256k1-point.js';
import type { KeyCrypto } from '../../ports/key-crypto.js';

/** A single public key: a compressed point (33 bytes), or 32 bytes for ed25519. */
export interface SimpleKey {
  readonly kind: SimpleKeyKind;
  readonly key: Uint8Array;
}

/** A multisig key: `threshold` of several keys must sign (cosmos.crypto.multisig.LegacyAminoPubKey). */
export interface NestedKey {
  readonly kind: 'multisig';
  readonly threshold: number;
  readonly keys: readonly (SimpleKey | NestedKey)[];
}

/** A multisig key whose members are single keys, as in a keyring. */
export interface ThresholdKey extends NestedKey {
  readonly keys: readonly SimpleKey[];
}

export type AccountKey = SimpleKey | ThresholdKey;
export type SimpleKeyKind = 'eth_secp256k1' | 'secp256k1' | 'ed25519';

/**
 * Type URL of each kind of key, and the amino name whose hash prefixes its amino binary form. cosmos/evm registers no
 * such name for its own kind.
 */
export const KEY_TYPES: Readonly<
  Record<AccountKey['kind'], { readonly typeUrl: string; readonly aminoName?: string }>
> = {
  eth_secp256k1: { typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' },
  secp256k1: { typeUrl: '/cosmos.crypto.secp256k1.PubKey', aminoName: 'tendermint/PubKeySecp256k1' },
  ed25519: { typeUrl: '/cosmos.crypto.ed25519.PubKey', aminoName: 'tendermint/PubKeyEd25519' },
  multisig: { typeUrl: '/cosmos.crypto.multisig.LegacyAminoPubKey', aminoName: 'tendermint/PubKeyMultisigThreshold' },
};

const KEY_BYTES: Readonly<Record<SimpleKeyKind, number>> = { eth_secp256k1: 33, secp256k1: 33, ed25519: 32 };

/** Compresses a point of 65 bytes to 33: the parity of y, then x (SEC 1, 2.3.3). */
export function compressed(point: Uint8Array): Uint8Array {
  const out = new Uint8Array(33);
  out[0] = 2 + ((point[64] ?? 0) & 1);
  out.set(point.subarray(1, 33), 1);
  return out;
}

/** Address of a key, 20 bytes; undefined for a point that is not on the curve. */
export function addressOfKey(crypto: Pick<KeyCrypto, 'keccak256'>, key: AccountKey): Uint8Array | undefined {
  switch (key.kind) {
    case 'eth_secp256k1': {
      const point = decompress(key.key);
      return point === undefined ? undefined : crypto.keccak256(point).slice(12);
    }
    case 'secp256k1':
      return ripemd160(sha256(key.key));
    case 'ed25519':
      return sha256(key.key).slice(0, 20);
    case 'multisig':
      return sha256(aminoBytes(key)).slice(0, 20);
  }
}

/** SDK JSON of a key; the type URL comes first. */
export function publicKeyJson(key: AccountKey): object {
  const { typeUrl } = KEY_TYPES[key.kind];
  if (key.kind === 'multisig')
    return { '@type': typeUrl, threshold: key.threshold, public_keys: key.keys.map(publicKeyJson) };
  return { '@type': typeUrl, key: base64.encode(key.key) };
}

/** Parses the output of `publicKeyJson`; undefined for other values. */
export function parsePublicKeyJson(value: unknown): AccountKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { '@type': type, key, threshold, public_keys: members }: Readonly<Record<string, unknown>> = { ...value };
  if (type === KEY_TYPES.multisig.typeUrl) {
    const keys = Array.isArray(members) ? members.map(parsePublicKeyJson) : [];
    const simple = keys.flatMap((member) => (member === undefined || member.kind === 'multisig' ? [] : [member]));
    if (
      typeof threshold !== 'number' ||
      simple.length !== keys.length ||
      keys.length === 0 ||
      threshold < 1 ||
      threshold > keys.length
    )
      return undefined;
    return { kind: 'multisig', threshold, keys: simple };
  }
  const kind = SIMPLE_KINDS.find((one) => KEY_TYPES[one].typeUrl === type);
  if (kind === undefined || typeof key !== 'string' || !/^[A-Za-z0-9+/]+=*$/.test(key)) return undefined;
  return simpleKey(kind, strictBase64(key));
}

const SIMPLE_KINDS = ['eth_secp256k1', 'secp256k1', 'ed25519'] as const;

/** Creates a key of a kind; undefined when its length is wrong. */
export function simpleKey(kind: SimpleKeyKind, key: Uint8Array | undefined): SimpleKey | undefined {
  return key?.length === KEY_BYTES[kind] ? { kind, key } : undefined;
}

/** Amino binary form: type prefix, then the length-prefixed key, or threshold and keys. */
export function aminoBytes(key: SimpleKey | NestedKey): Uint8Array {
  const { aminoName } = KEY_TYPES[key.kind];
  const prefix = aminoName === undefined ? EMPTY : aminoPrefix(aminoName);
  if (key.kind !== 'multisig') return concat(prefix, Uint8Array.of(key.key.length), key.key);
  const fields = new MessageWriter();
  for (const member of key.keys.toReversed()) fields.bytes(2, aminoBytes(member));
  fields.number(1, key.threshold);
  return concat(prefix, fields.finish());
}

/**
 * Amino prefix: four bytes of the name's sha256, after skipping leading zeros, three disambiguation bytes and further
 * zeros (tendermint/go-amino).
 */
function aminoPrefix(name: string): Uint8Array {
  const past = (bytes: Uint8Array): Uint8Array => bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return past(past(sha256(utf8(name))).subarray(3)).slice(0, 4);
}
