import { keccak_256 } from '@noble/hashes/sha3.js';
import { deriveDevAccounts } from '../build/core/keys/accounts.js';
import { DEV_MNEMONIC } from '../build/core/keys/dev-mnemonic.js';
import { createHostKeyCrypto } from '../build/runtime/host/key-crypto.js';

/** The first `count` accounts of a dev chain with addresses of the prefix. */
export function devAccounts(count, bech32Prefix) {
  return deriveDevAccounts(createHostKeyCrypto({ keccak256: (data) => keccak_256(data) }), {
    mnemonic: DEV_MNEMONIC,
    count,
    bech32Prefix,
  });
}
