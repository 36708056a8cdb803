/** Proofs of accounts and slots (EIP-1186), and ranges of storage. */
import type { AccountWithCode } from './account-state.js';
import type { MerkleTrie } from './merkle-trie.js';

/** The trie of all accounts of a state, and the storage root of each contract by its address in hex. */
export interface StateTries {
  readonly accounts: MerkleTrie;
  /** The trie of the slots of the account that is proven; an empty one where no slot is. */
  readonly storage: MerkleTrie;
  readonly storageRoots: ReadonlyMap<string, Uint8Array>;
  readonly emptyRoot: Uint8Array;
}

/** A part of a state: slots by contract and slot, then accounts by address. */
export interface StatePart {
  readonly slots: readonly (StorageSlot & { readonly address: Uint8Array })[];
  readonly accounts: readonly AccountFacts[];
  /** Where the next part begins; undefined for the last one. */
  readonly next: PartStart | undefined;
}

export interface AccountFacts {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Uint8Array;
  /** Its balance changes with the time, without a write. */
  readonly vests?: true;
}

/** An account that blocks changed. */
export interface ChangedAccount {
  readonly address: Uint8Array;
  /** undefined when there is none any more. */
  readonly facts: AccountFacts | undefined;
  /** The slots that were written, as they are now. */
  readonly slots: readonly StorageSlot[];
}

/** A part of a state with all that the EVM knows of its accounts. */
export interface DumpPart {
  readonly slots: StatePart['slots'];
  /** Without their slots. */
  readonly accounts: readonly (AccountWithCode & { readonly address: Uint8Array })[];
  /** Where the next part begins; undefined for the last one. */
  readonly next: PartStart | undefined;
}

/** The table and the key with which a part of a state begins; the slots of one contract are a table of their own. */
export type PartStart =
  | { readonly table: 'slots' | 'accounts'; readonly start: Uint8Array }
  | { readonly table: 'contract'; readonly address: Uint8Array; readonly start?: Uint8Array };

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

/** A slot and its value, 32 bytes each. The value may have fewer: then zeros stand before it. */
export interface StorageSlot {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}
