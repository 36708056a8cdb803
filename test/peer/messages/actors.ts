/** Accounts that sign: those of every kind of key, also thresholds of thresholds. */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { publicKeyAny, SIGN_MODES, signBytes, type SigningMode } from '../../../src/core/keys/tx-signing.js';
import { LegacyAminoPubKeySchema } from '../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { MultiSignatureSchema } from '../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { type ModeInfo, ModeInfoSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { KEY_TYPES, type SimpleKey } from '../../../src/core/sdk/account-key.js';
import { encodeAddress } from '../../../src/core/sdk/address.js';
import { addressOf, type PublicKey } from '../../../src/core/sdk/public-key.js';
import { createPureCrypto } from '../../../src/node/host/crypto.js';
import { Random } from '../random.js';

export interface Signer {
  readonly key: PublicKey;
  readonly publicKey: Any;
  /** How a transaction says that this key signs in the mode. */
  modeInfo(mode: SigningMode): ModeInfo;
  sign(signDoc: Uint8Array): Uint8Array;
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
    modeInfo: (mode) => create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SIGN_MODES[mode] } } }),
    sign: (signDoc) => signBytes(kind, signDoc, secret),
  };
}

/** A threshold, for which its last members sign. */
export function thresholdSigner(threshold: number, members: readonly Signer[]): Signer {
  const first = members.length - threshold;
  const signing = members.slice(first);
  const elems = new Uint8Array(Math.ceil(members.length / 8));
  for (let index = first; index < members.length; index += 1) elems[index >> 3]! |= 0x80 >> (index & 7);
  const value = create(LegacyAminoPubKeySchema, { threshold, publicKeys: members.map(({ publicKey }) => publicKey) });
  return {
    key: { kind: 'multisig', threshold, keys: members.map(({ key }) => key) },
    publicKey: create(AnySchema, {
      typeUrl: KEY_TYPES.multisig.typeUrl,
      value: toBinary(LegacyAminoPubKeySchema, value),
    }),
    modeInfo: (mode) =>
      create(ModeInfoSchema, {
        sum: {
          case: 'multi',
          value: {
            bitarray: { extraBitsStored: members.length % 8, elems },
            modeInfos: signing.map((member) => member.modeInfo(mode)),
          },
        },
      }),
    sign: (signDoc) =>
      toBinary(
        MultiSignatureSchema,
        create(MultiSignatureSchema, { signatures: signing.map((member) => member.sign(signDoc)) }),
      ),
  };
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
  ];
  return signers.map(([name, signer]) => actorOf(name, prefix, signer));
}
