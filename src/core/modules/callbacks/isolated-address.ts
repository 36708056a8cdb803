import { concat, utf8 } from '../../bytes/bytes.js';
import type { Crypto } from '../../ports/crypto.js';

const NAME = 'ibc-callbacks';
const ADDRESS_BYTES = 20;

/**
 * Account that holds tokens for a callback, without a private key: an ADR 028 address derived from the local channel
 * and the remote sender (cosmos/evm v0.6 `x/ibc/callbacks/types/keys.go`).
 */
export function isolatedAddress({ sha256 }: Pick<Crypto, 'sha256'>, channelId: string, sender: string): Uint8Array {
  const derived = (from: Uint8Array, key: Uint8Array): Uint8Array => sha256(concat(sha256(from), key));
  const ofChannel = derived(utf8('module'), concat(utf8(NAME), Uint8Array.of(0), utf8(channelId)));
  return derived(ofChannel, utf8(sender)).slice(0, ADDRESS_BYTES);
}
