import { fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Crypto } from '../ports/crypto.js';
import { PubKeySchema as Secp256k1Schema } from '../proto/cosmos/crypto/secp256k1/keys_pb.js';
import type { AppVersion } from './app-version.js';
import { hex } from './bytes.js';

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

const P = 2n ** 256n - 2n ** 32n - 977n;

/** x and y (64 bytes) of a compressed secp256k1 point (SEC 1, 2.3.4); undefined when x is on no point. */
function decompress(key: Uint8Array): Uint8Array | undefined {
  const parity = key[0];
  if (parity !== 2 && parity !== 3) return undefined;
  const x = BigInt(`0x${hex(key.subarray(1))}`);
  if (x >= P) return undefined;
  const square = (x ** 3n + 7n) % P;
  let y = power(square, (P + 1n) / 4n);
  if ((y * y) % P !== square) return undefined;
  if ((y & 1n) !== BigInt(parity & 1)) y = P - y;
  const digits = x.toString(16).padStart(64, '0') + y.toString(16).padStart(64, '0');
  return Uint8Array.from({ length: 64 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
