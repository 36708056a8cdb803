import { fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Crypto } from '../../ports/crypto.js';
import { PubKeySchema as Secp256k1Schema } from '../../proto/cosmos/crypto/secp256k1/keys_pb.js';
import type { VersionFacts } from '../module/version-facts.js';
import { aminoBytes, KEY_TYPES, type NestedKey, simpleKey, type SimpleKey } from './account-key.js';
import { LegacyAminoPubKeySchema } from '../../proto/cosmos/crypto/multisig/keys_pb.js';
import { hex } from '../../bytes/hex.js';
import { decompress } from './secp256k1-point.js';
import { CHAIN_LIMITS, FIXED_LIMITS } from '../../limits/limits.js';

const KINDS = ['eth_secp256k1', 'secp256k1', 'ed25519'] as const;

/** A single key. ed25519 keys may be members of a multisig key, but cannot sign transactions. */
export type SinglePublicKey = SimpleKey;

/** A multisig key over single keys and other multisig keys. */
export interface ThresholdPublicKey extends NestedKey {
  readonly keys: readonly PublicKey[];
}

/** Public key of an account. */
export type PublicKey = SinglePublicKey | ThresholdPublicKey;

/** Parsed keys by their `Any`, which a decoded transaction or account keeps unchanged. */
const parsed = new WeakMap<Any, { readonly version: VersionFacts; readonly key: PublicKey | undefined }>();

/**
 * Parses a signer's public key; undefined for unknown types, and for too many or too deeply nested multisig keys.
 * Cached, because the ante rules read the keys of a transaction and its accounts several times.
 */
export function parsePublicKey(version: VersionFacts, any: Any): PublicKey | undefined {
  const known = parsed.get(any);
  if (known?.version === version) return known.key;
  const key = readPublicKey(version, any, { depth: CHAIN_LIMITS.keyDepth, left: { keys: CHAIN_LIMITS.keysOfSigner } });
  parsed.set(any, { version, key });
  return key;
}

/** Remaining nesting levels, and the remaining number of keys that all levels share. */
interface Room {
  readonly depth: number;
  readonly left: { keys: number };
}

function readPublicKey(version: VersionFacts, any: Any, room: Room): PublicKey | undefined {
  if (room.depth === 0 || room.left.keys === 0) return undefined;
  room.left.keys -= 1;
  const inside = { depth: room.depth - 1, left: room.left };
  return any.typeUrl === KEY_TYPES.multisig.typeUrl
    ? parseThreshold(version, any.value, inside)
    : parseSingle(version, any);
}

function parseThreshold(version: VersionFacts, value: Uint8Array, room: Room): ThresholdPublicKey | undefined {
  try {
    const { threshold, publicKeys } = fromBinary(LegacyAminoPubKeySchema, value);
    const keys = publicKeys.flatMap((any) => readPublicKey(version, any, room) ?? []);
    return keys.length === publicKeys.length ? { kind: 'multisig', threshold, keys } : undefined;
  } catch {
    return undefined;
  }
}

function parseSingle(version: VersionFacts, any: Any): SinglePublicKey | undefined {
  const url = version.typeUrlAliases[any.typeUrl] ?? any.typeUrl;
  const kind = KINDS.find((one) => KEY_TYPES[one].typeUrl === url);
  if (kind === undefined) return undefined;
  try {
    return simpleKey(kind, fromBinary(Secp256k1Schema, any.value).key);
  } catch {
    return undefined;
  }
}

const addresses = new Map<string, Uint8Array>();

/**
 * Address of a key, 20 bytes: Ethereum's for eth_secp256k1, ripemd160(sha256(key)) for secp256k1, else from sha256 of
 * the key or of a multisig key's amino bytes. Undefined for a point that is not on the curve.
 */
export function addressOf(crypto: Crypto, publicKey: PublicKey): Uint8Array | undefined {
  if (publicKey.kind === 'multisig') return crypto.sha256(aminoBytes(publicKey)).slice(0, 20);
  if (publicKey.kind === 'ed25519') return crypto.sha256(publicKey.key).slice(0, 20);
  if (publicKey.kind === 'secp256k1') return crypto.ripemd160(crypto.sha256(publicKey.key));
  const name = hex(publicKey.key);
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const point = decompress(publicKey.key);
  if (point === undefined) return undefined;
  const address = crypto.keccak256(point).slice(12);
  if (addresses.size >= FIXED_LIMITS.cachedAddresses) addresses.clear();
  addresses.set(name, address);
  return address;
}

/**
 * Verifies a signature over sign bytes; ignores the recovery byte of 65-byte Ethereum signatures (cosmos/evm v0.6
 * `crypto/ethsecp256k1/ethsecp256k1.go`).
 */
export function verifySignature(
  crypto: Crypto,
  publicKey: SinglePublicKey,
  signBytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (publicKey.kind === 'ed25519') return crypto.verifyEd25519(publicKey.key, signBytes, signature);
  if (publicKey.kind === 'secp256k1')
    return signature.length === 64 && crypto.verifySecp256k1(publicKey.key, crypto.sha256(signBytes), signature);
  return verifyEthereumSignature(crypto, publicKey, crypto.keccak256(signBytes), signature);
}

/** Verifies a signature of an Ethereum key over a digest of 32 bytes; ignores a recovery byte. */
export function verifyEthereumSignature(
  crypto: Crypto,
  publicKey: SinglePublicKey,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64 && signature.length !== 65) return false;
  return crypto.verifySecp256k1(publicKey.key, digest, signature.slice(0, 64));
}
