import { fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Crypto } from '../ports/crypto.js';
import { PubKeySchema as Secp256k1Schema } from '../proto/cosmos/crypto/secp256k1/keys_pb.js';
import type { AppVersion } from './app-version.js';
import { hex } from './bytes.js';
import { decompress } from './secp256k1-point.js';

const ETH_URL = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey';
const SECP_URL = '/cosmos.crypto.secp256k1.PubKey';
const KNOWN_ADDRESSES = 4096;

/** A key that can sign transactions. `key` is the 33-byte compressed point. */
export interface PublicKey {
  readonly kind: 'ethsecp256k1' | 'secp256k1';
  readonly key: Uint8Array;
}

/** Reads the `Any` of a signer's key; undefined for key types that cannot sign here. */
export function parsePublicKey(version: AppVersion, any: Any): PublicKey | undefined {
  const url = version.typeUrlAliases[any.typeUrl] ?? any.typeUrl;
  if (url !== ETH_URL && url !== SECP_URL) return undefined;
  try {
    const { key } = fromBinary(Secp256k1Schema, any.value);
    return key.length === 33 ? { kind: url === ETH_URL ? 'ethsecp256k1' : 'secp256k1', key } : undefined;
  } catch {
    return undefined;
  }
}

const addresses = new Map<string, Uint8Array>();

/** 20-byte address of a key: Ethereum's for ethsecp256k1, ripemd160(sha256(key)) for secp256k1; undefined off the curve. */
export function addressOf(crypto: Crypto, publicKey: PublicKey): Uint8Array | undefined {
  if (publicKey.kind === 'secp256k1') return crypto.ripemd160(crypto.sha256(publicKey.key));
  const name = hex(publicKey.key);
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const point = decompress(publicKey.key);
  if (point === undefined) return undefined;
  const address = crypto.keccak256(point).slice(12);
  if (addresses.size >= KNOWN_ADDRESSES) addresses.clear();
  addresses.set(name, address);
  return address;
}

/** Verifies a signature over sign bytes; 65-byte Ethereum signatures lose their recovery byte (application-modules.md 3.2). */
export function verifySignature(crypto: Crypto, publicKey: PublicKey, signBytes: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.kind === 'secp256k1') return signature.length === 64 && crypto.verifySecp256k1(publicKey.key, crypto.sha256(signBytes), signature);
  if (signature.length !== 64 && signature.length !== 65) return false;
  return crypto.verifySecp256k1(publicKey.key, crypto.keccak256(signBytes), signature.slice(0, 64));
}
