/** Accounts that sign, with every kind of key, including nested threshold keys. */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { publicKeyAny, signBytes } from '../../../src/core/keys/tx-signing.js';
import { LegacyAminoPubKeySchema } from '../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import type { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { type ModeInfo, ModeInfoSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { KEY_TYPES, type SimpleKey } from '../../../src/core/sdk/signing/account-key.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { addressOf, type PublicKey } from '../../../src/core/sdk/signing/public-key.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { Random } from '../random.js';
import { encode } from '../../support/encode.js';

/** A sign mode, and whether an Ethereum key signs typed data (EIP-712) instead. */
export interface Mode {
  readonly mode: SignMode;
  readonly typed: boolean;
}

/** A document to sign: bytes that the key hashes, or a hash. */
export interface SignedDocument {
  readonly kind: 'bytes' | 'digest';
  readonly value: Uint8Array;
}

/** How a transaction says that keys sign, and their signatures over its documents. */
export interface Signing {
  readonly modeInfo: ModeInfo;
  sign(documentOf: (mode: Mode) => SignedDocument): Uint8Array;
}

export interface Signer {
  readonly key: PublicKey;
  readonly publicKey: Any;
  /** `modeOf` is called for each key that signs. */
  signing(random: Random, modeOf: (key: SimpleKey) => Mode): Signing;
}

export interface Actor extends Signer {
  readonly name: string;
  readonly address: Uint8Array;
  readonly bech32: string;
  /** The address as a validator's operator. */
  readonly operator: string;
}

/** A key of one signer. */
export function simpleSigner(kind: 'eth_secp256k1' | 'secp256k1', secret: Uint8Array): Signer {
  const key: SimpleKey = { kind, key: secp256k1.getPublicKey(secret, true) };
  return {
    key,
    publicKey: publicKeyAny(key),
    signing: (_, modeOf) => {
      const chosen = modeOf(key);
      return {
        modeInfo: create(ModeInfoSchema, { sum: { case: 'single', value: { mode: chosen.mode } } }),
        sign: (documentOf) => {
          const document = documentOf(chosen);
          return document.kind === 'bytes'
            ? signBytes(kind, document.value, secret)
            : signDigest(document.value, secret);
        },
      };
    },
  };
}

function signDigest(digest: Uint8Array, secret: Uint8Array): Uint8Array {
  const recovered = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
  return concat(recovered.subarray(1), recovered.subarray(0, 1));
}

/** A threshold, for which its last members sign, or any others, sometimes too many or too few. */
export function thresholdSigner(threshold: number, members: readonly Signer[]): Signer {
  const value = create(LegacyAminoPubKeySchema, { threshold, publicKeys: members.map(({ publicKey }) => publicKey) });
  return {
    key: { kind: 'multisig', threshold, keys: members.map(({ key }) => key) },
    publicKey: create(AnySchema, {
      typeUrl: KEY_TYPES.multisig.typeUrl,
      value: toBinary(LegacyAminoPubKeySchema, value),
    }),
    signing: (random, modeOf) => {
      const chosen = chosenMembers(random, threshold, members.length);
      const parts = members.filter((_, index) => chosen.has(index)).map((member) => member.signing(random, modeOf));
      const elems = new Uint8Array(Math.ceil(members.length / 8));
      for (const index of chosen) elems[index >> 3]! |= 0x80 >> (index & 7);
      const bitarray = { extraBitsStored: members.length % 8, elems };
      const modeInfos = parts.map(({ modeInfo }) => modeInfo);
      return {
        modeInfo: create(ModeInfoSchema, { sum: { case: 'multi', value: { bitarray, modeInfos } } }),
        sign: (documentOf) => {
          const signatures = parts.map((part) => part.sign(documentOf));
          return encode(MultiSignatureSchema, { signatures });
        },
      };
    },
  };
}

function chosenMembers(random: Random, threshold: number, members: number): ReadonlySet<number> {
  const all = Array.from({ length: members }, (_, index) => index);
  if (random.chance(0.5)) return new Set(all.slice(members - threshold));
  const count = random.chance(0.1) ? threshold - 1 : random.between(threshold, members);
  return new Set(random.shuffled(all).slice(0, count));
}

const crypto = createPureCrypto();

export function actorOf(name: string, prefix: string, signer: Signer): Actor {
  const address = addressOf(crypto, signer.key);
  if (address === undefined) throw new Error(`${name} has an address`);
  const operator = encodeAddress(`${prefix}valoper`, address);
  return { ...signer, name, address, bech32: encodeAddress(prefix, address), operator };
}

/** The accounts of a chain beside the one whose key is given, which are the same on every chain. */
export function cast(prefix: string, founder: Uint8Array): readonly Actor[] {
  const secrets = new Random(20_261_123);
  const eth = (): Signer => simpleSigner('eth_secp256k1', secrets.bytes(32));
  const plain = (): Signer => simpleSigner('secp256k1', secrets.bytes(32));
  const signers: readonly (readonly [string, Signer])[] = [
    ['founder', simpleSigner('eth_secp256k1', founder)],
    ...['alice', 'bob', 'carol', 'dave', 'erin', 'frank'].map((name) => [name, eth()] as const),
    ...['peggy', 'trent'].map((name) => [name, plain()] as const),
    ['pair', thresholdSigner(2, [plain(), plain(), plain()])],
    ['nested', thresholdSigner(1, [plain(), thresholdSigner(2, [plain(), plain()])])],
    ['ethereum pair', thresholdSigner(1, [eth(), eth()])],
    ['delayed', eth()],
    ['continuous', eth()],
    ['periodic', eth()],
    ['locked', eth()],
    ['late', eth()],
    ['late too', plain()],
    ['late pair', thresholdSigner(1, [eth(), plain()])],
  ];
  return signers.map(([name, signer]) => actorOf(name, prefix, signer));
}
