import { bigintOfBytes } from '../../core/bytes/big-endian.js';
import { hex } from '../../core/bytes/hex.js';
import { nativeSecp256k1 } from '../host/native-secp256k1.js';

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

/** Keys that the node signs with for its clients: the dev accounts, derived on first use. */
export interface DevKeys {
  addresses(): readonly Uint8Array[];
  /** undefined for an address whose key the node does not hold. `digest` has 32 bytes. */
  sign(address: Uint8Array, digest: Uint8Array): Signature | undefined;
}

export function createDevKeys(derive: () => readonly DevKey[]): DevKeys {
  let keys: readonly DevKey[] | undefined;
  const held = (): readonly DevKey[] => (keys ??= derive());
  return {
    addresses: () => held().map(({ address }) => address),
    sign(address, digest) {
      const name = hex(address);
      const key = held().find((one) => hex(one.address) === name);
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
