/** Proofs of accounts and slots (EIP-1186), and ranges of storage. */
import type { MerkleTrie } from './merkle-trie.js';

/** The trie of all accounts of a state, and the storage root of each contract by its address in hex. */
export interface StateTries {
  readonly accounts: MerkleTrie;
  readonly storageRoots: ReadonlyMap<string, Uint8Array>;
  readonly emptyRoot: Uint8Array;
}

export interface AccountProof {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Uint8Array;
  readonly storageHash: Uint8Array;
  /** Encoded nodes from the root on. */
  readonly accountProof: readonly Uint8Array[];
  readonly storageProof: readonly {
    readonly slot: Uint8Array;
    readonly value: bigint;
    readonly proof: readonly Uint8Array[];
  }[];
}

/** A slot that is not zero, and its value; 32 bytes each. */
export interface StorageSlot {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}
