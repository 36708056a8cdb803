import { randomBytes } from 'node:crypto';
import { equal } from '../../core/bytes/bytes.js';
import { bigintOfBytes } from '../../core/bytes/big-endian.js';
import { hex } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { nativeSecp256k1 } from '../../runtime/host/native-secp256k1.js';

export interface DevKey {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
}

export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
}

/** Private keys with which the node signs for its clients: the dev accounts (derived on first use) and added keys. */
export interface DevKeys {
  addresses(): readonly Uint8Array[];
  /** The dev accounts in order (`dev0` and so on), also those that were released. */
  ofStart(): readonly { readonly address: Uint8Array; readonly isHeld: boolean }[];
  /** undefined for an address whose key the node does not hold. `digest` has 32 bytes. */
  sign(address: Uint8Array, digest: Uint8Array): Signature | undefined;
  /** Adds a key, by default a new random one, until the process ends; returns its address. */
  hold(privateKey: Uint8Array | undefined): Outcome<Uint8Array>;
  /** Removes a key until it is added or restored; returns whether the node held it. */
  release(address: Uint8Array): boolean;
  /** Adds all released dev accounts again; added keys stay. */
  restore(): void;
}

/** Creates the key store; `derive` returns the dev accounts. */
export function createDevKeys(derive: () => readonly DevKey[], crypto: Pick<Crypto, 'keccak256'>): DevKeys {
  let derived: readonly DevKey[] | undefined;
  /** Addresses of released dev accounts, in hex. */
  const released = new Set<string>();
  let further: readonly DevKey[] = [];
  const start = (): readonly DevKey[] => (derived ??= derive());
  const isHeld = ({ address }: DevKey): boolean => released.size === 0 || !released.has(hex(address));
  const allKeys = (): readonly DevKey[] => [...start().filter(isHeld), ...further];
  return {
    addresses: () => allKeys().map(({ address }) => address),
    ofStart: () => start().map((key) => ({ address: key.address, isHeld: isHeld(key) })),
    hold(given) {
      const { devKeys: maximum } = FIXED_LIMITS;
      if (further.length >= maximum) return { ok: false, error: { code: 'limit-exceeded', limit: 'devKeys', maximum } };
      const secp256k1 = nativeSecp256k1();
      const privateKey = given ?? randomBytes(32);
      if (!secp256k1.privateKeyVerify(privateKey)) return refused('invalid private key');
      const address = crypto.keccak256(secp256k1.publicKeyCreate(privateKey, false).subarray(1)).slice(12);
      if (allKeys().some((one) => equal(one.address, address))) return refused('account already exists');
      if (!released.delete(hex(address))) further = [...further, { address, privateKey }];
      return { ok: true, value: address };
    },
    release(address) {
      const before = allKeys().length;
      if (start().some((one) => equal(one.address, address))) released.add(hex(address));
      further = further.filter((one) => !equal(one.address, address));
      return allKeys().length < before;
    },
    restore: () => released.clear(),
    sign(address, digest) {
      const name = hex(address);
      const key = allKeys().find((one) => hex(one.address) === name);
      if (key === undefined) return undefined;
      const { signature, recid } = nativeSecp256k1().ecdsaSign(digest, key.privateKey);
      return {
        r: bigintOfBytes(signature.subarray(0, 32)),
        s: bigintOfBytes(signature.subarray(32)),
        yParity: recid === 1 ? 1 : 0,
      };
    },
  };
}

function refused(message: string): Outcome<never> {
  return { ok: false, error: { code: 'tx-refused', message } };
}
