/** Proofs of accounts and slots (EIP-1186), and parts of a state. */
import type { AccountWithCode } from './account-state.js';
import type { MerkleTrie } from './merkle-trie.js';

/** Trie of all accounts, and the storage root of each contract by hex address. */
export interface StateTries {
  readonly accounts: MerkleTrie;
  /** Storage trie of the account to prove; empty when no slot is proved. */
  readonly storage: MerkleTrie;
  readonly storageRoots: ReadonlyMap<string, Uint8Array>;
  readonly emptyRoot: Uint8Array;
}

/** A part of a state: first slots ordered by contract and slot, then accounts ordered by address. */
export interface StatePart {
  readonly slots: readonly (StorageSlot & { readonly address: Uint8Array })[];
  readonly accounts: readonly AccountFacts[];
  /** Start of the next part; undefined for the last one. */
  readonly next: PartStart | undefined;
}

export interface AccountFacts {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Uint8Array;
  /** The balance changes with time, without a write. */
  readonly vests?: true;
}

/** An account that blocks changed. */
export interface ChangedAccount {
  readonly address: Uint8Array;
  /** Undefined when the account no longer exists. */
  readonly facts: AccountFacts | undefined;
  /** Written slots with their current values. */
  readonly slots: readonly StorageSlot[];
}

/** A part of a state with everything that the EVM stores about its accounts. */
export interface DumpPart {
  readonly slots: StatePart['slots'];
  /** Accounts without their slots. */
  readonly accounts: readonly (AccountWithCode & { readonly address: Uint8Array })[];
  /** Start of the next part; undefined for the last one. */
  readonly next: PartStart | undefined;
}

/** Start of a part: table and key. The slots of one contract are a table of their own. */
export type PartStart =
  | { readonly table: 'slots' | 'accounts'; readonly start: Uint8Array }
  | { readonly table: 'contract'; readonly address: Uint8Array; readonly start?: Uint8Array };

export interface AccountProof {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Uint8Array;
  readonly storageHash: Uint8Array;
  /** Encoded nodes from the root down. */
  readonly accountProof: readonly Uint8Array[];
  readonly storageProof: readonly {
    readonly slot: Uint8Array;
    readonly value: bigint;
    readonly proof: readonly Uint8Array[];
  }[];
}

/** A slot and its value, 32 bytes each. Values may omit leading zeros. */
export interface StorageSlot {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}
