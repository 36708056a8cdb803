import { concat, utf8 } from '../../bytes/bytes.js';
import type { Crypto } from '../../ports/crypto.js';

const NAME = 'ibc-callbacks';
const ADDRESS_BYTES = 20;

/**
 * The account that holds tokens for a callback, which nobody has a key of: an address of ADR 028, from the channel here
 * and the sender there (cosmos/evm v0.6 `x/ibc/callbacks/types/keys.go`).
 */
export function isolatedAddress({ sha256 }: Pick<Crypto, 'sha256'>, channelId: string, sender: string): Uint8Array {
  const derived = (from: Uint8Array, key: Uint8Array): Uint8Array => sha256(concat(sha256(from), key));
  const ofChannel = derived(utf8('module'), concat(utf8(NAME), Uint8Array.of(0), utf8(channelId)));
  return derived(ofChannel, utf8(sender)).slice(0, ADDRESS_BYTES);
}
