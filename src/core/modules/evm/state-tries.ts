/**
 * The EVM's state as Ethereum's secure tries, made on demand (yellow paper 4.1, EIP-1186). No header of this chain
 * holds their root: the state itself is kept in IAVL trees.
 */
import { prefixRange } from '../../bytes/key-order.js';
import { hex } from '../../bytes/hex.js';
import type { AccountProof, StateTries, StorageSlot } from '../../ethereum/state-proof.js';
import { MerkleTrie } from '../../ethereum/merkle-trie.js';
import { encodeRlp, rlpNumber } from '../../ethereum/rlp.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';
import type { Crypto } from '../../ports/crypto.js';
import type { Context } from '../../sdk/module/context.js';
import { ACCOUNT_PREFIX, STORE as ACCOUNTS } from '../auth/accounts.js';
import { evmState } from './state.js';
import { EMPTY_CODE_HASH, getStorage, STORE, STORAGE_PREFIX, storageOf } from './store.js';

const ADDRESS_BYTES = 20;

/** Makes the tries of a whole state. `pause` is called often; what it throws ends the work. */
export function stateTries(context: Context, pause: () => void): StateTries {
  const { crypto, store } = context;
  // all ranges are read before anything is computed, because a missing page starts the reader again
  const addresses = [...store.range(ACCOUNTS, prefixRange(ACCOUNT_PREFIX))]
    .map(({ key }) => key.subarray(ACCOUNT_PREFIX.length))
    .filter(({ length }) => length === ADDRESS_BYTES);
  const slots = new Map<string, StorageSlot[]>();
  for (const { key, value } of store.range(STORE, prefixRange(STORAGE_PREFIX))) {
    const address = key.subarray(STORAGE_PREFIX.length, STORAGE_PREFIX.length + ADDRESS_BYTES);
    const slot = key.subarray(STORAGE_PREFIX.length + ADDRESS_BYTES);
    const known = slots.get(hex(address));
    if (known === undefined) slots.set(hex(address), [{ slot, value }]);
    else known.push({ slot, value });
  }
  const storageRoots = new Map<string, Uint8Array>();
  for (const [address, written] of slots) storageRoots.set(address, trieOf(crypto, written, pause).root);
  const emptyRoot = new MerkleTrie(crypto, []).root;
  const state = evmState(context);
  const entries = addresses.flatMap((address) => {
    pause();
    const account = state.account(address);
    if (account === undefined) return [];
    const { nonce, balance, codeHash } = account;
    const root = storageRoots.get(hex(address)) ?? emptyRoot;
    return [
      {
        path: crypto.keccak256(address),
        value: encodeRlp([rlpNumber(nonce), rlpNumber(balance), root, codeHash]),
      },
    ];
  });
  return { accounts: new MerkleTrie(crypto, entries, pause), storageRoots, emptyRoot };
}

/** The proof of an account and of some of its slots (32 bytes each). */
export function proofOf(
  context: Context,
  { accounts, storageRoots, emptyRoot }: StateTries,
  address: Uint8Array,
  slots: readonly Uint8Array[],
  pause: () => void,
): AccountProof {
  const { crypto } = context;
  const written = slots.length === 0 ? [] : slotsOf(context, address);
  const storage = trieOf(crypto, written, pause);
  const { balance, nonce, codeHash } = evmState(context).account(address) ?? {
    balance: 0n,
    nonce: 0n,
    codeHash: EMPTY_CODE_HASH,
  };
  return {
    balance,
    nonce,
    codeHash,
    storageHash: storageRoots.get(hex(address)) ?? emptyRoot,
    accountProof: accounts.prove(crypto.keccak256(address)),
    storageProof: slots.map((slot) => ({
      slot,
      value: bigintOfBytes(getStorage(context, address, slot) ?? new Uint8Array(0)),
      proof: storage.prove(crypto.keccak256(slot)),
    })),
  };
}

/** All slots of a contract that are not zero. */
export function slotsOf({ store }: Pick<Context, 'store'>, address: Uint8Array): readonly StorageSlot[] {
  const prefix = storageOf(address);
  return [...store.range(STORE, prefixRange(prefix))].map(({ key, value }) => ({
    slot: key.subarray(prefix.length),
    value,
  }));
}

function trieOf(crypto: Pick<Crypto, 'keccak256'>, slots: readonly StorageSlot[], pause: () => void): MerkleTrie {
  const entries = slots
    .map(({ slot, value }) => ({ slot, word: bigintOfBytes(value) }))
    .filter(({ word }) => word !== 0n)
    .map(({ slot, word }) => ({ path: crypto.keccak256(slot), value: encodeRlp(rlpNumber(word)) }));
  return new MerkleTrie(crypto, entries, pause);
}
