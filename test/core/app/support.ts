import type { Crypto } from '../../../src/core/ports/crypto.js';
import type { StateReader, StateWrite } from '../../../src/core/state/state.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';

/** The crypto implementation that the node uses. */
export const crypto: Crypto = await createHostCrypto();

export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

/** A state with these writes on top of `over` (by default an empty state). */
export function stateOf(writes: Iterable<StateWrite>, over: StateReader = EMPTY_STATE): CacheStore {
  const state = new CacheStore(over);
  for (const { store, key, value } of writes) {
    if (value === undefined) state.delete(store, key);
    else state.set(store, key, value);
  }
  return state;
}

/** Fields of a block besides its height, time and transactions. */
export const PLAIN_BLOCK = {
  hash: new Uint8Array(32),
  proposerAddress: new Uint8Array(20),
  nextValidatorsHash: new Uint8Array(32),
  previousAppHash: new Uint8Array(32),
  lastCommitVotes: [],
  misbehavior: [],
  lastCommitRound: 0,
};
