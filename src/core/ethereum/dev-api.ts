/** The commands of dev mode that the Ethereum face may give (`docs/interfaces/dev-commands.md`). */
import type { Contract } from '../abi/contract.js';
import type { Outcome } from '../errors.js';
import type { EvmFork } from '../evm/transaction.js';
import type { Height } from '../primitives.js';
import type { ChainBranches } from './chain-branches.js';
import type { PacketCommands } from './packet-commands.js';
import type { UnsignedTransaction } from './unsigned.js';

export type * from './packet-commands.js';

/**
 * Commands of dev mode (`evm_*`, `anvil_*`). Each that changes the chain or its clock is an event in the log, so a
 * restart and a replay keep it.
 */
export interface EthereumDevApi extends DevChainCommands, DevPoolCommands, DevTokenCommands {
  readonly impersonation: Impersonation;
  /**
   * Holds one more key until the process ends, a new one without `privateKey` (32 bytes); resolves with its address.
   * Refused where it is no key, is held already, or beyond the limit `devKeys`.
   */
  holdKey(privateKey: Uint8Array | undefined): Outcome<Uint8Array>;
  /**
   * Forgets the key of an account until the process ends, or until a reset if it is one of the start; returns whether
   * it was held.
   */
  releaseKey(address: Uint8Array): boolean;
  /** Accounts of the start whose keys are held, in their order; the genesis of a dev chain gives them coins. */
  startAccounts(): readonly Uint8Array[];
  /** Admits a transaction without a signature; resolves with its hash. */
  sendUnsigned(transaction: UnsignedTransaction, sender: Uint8Array): Promise<Outcome<Uint8Array>>;
  /**
   * The state after the head as anvil writes it: JSON, compressed with gzip. Fails with `limit-exceeded` where it has
   * too many rows.
   */
  dumpState(): Promise<Outcome<Uint8Array>>;
  /** Adds the accounts of such a dump to the state; all of them, or none where one is refused. */
  loadState(dump: Uint8Array): Promise<Outcome<undefined>>;
  facts(): DevFacts;
  /**
   * wei: the gas price that is quoted, and that transactions of the node have which name none; undefined follows fees.
   */
  readonly quotes: { gasPrice: bigint | undefined };
  readonly givenContracts: GivenContracts;
  /** Undefined on a node without a second chain. */
  readonly packets: PacketCommands | undefined;
  /** Undefined where a program runs the node in its own process. */
  readonly chainBranches: ChainBranches | undefined;
  /** The node prints lines about blocks and transactions. */
  readonly logging: { isOn: boolean };
}

/** Seconds between the blocks of one command. */
export interface BlockSteps {
  readonly seconds: bigint;
  /** The first block is a step after the present time; else it shows the present time. */
  readonly beforeFirst: boolean;
}

/** Commands that make blocks, move their clock, or take them back. */
export interface DevChainCommands {
  /**
   * The first block has the time `timestamp`, if given; each later one has the time of the previous block plus that of
   * `steps`, if given. Resolves with the height of the last block; the others are right before it.
   */
  mine(blocks: number, timestamp: bigint | undefined, steps?: BlockSteps): Promise<Outcome<Height>>;
  /** Resolves with the total shift in seconds. */
  increaseTime(seconds: bigint): Promise<Outcome<bigint>>;
  /** Gives each of the accounts this balance; the accounts differ. */
  setBalance(accounts: readonly Uint8Array[], balance: bigint): Promise<Outcome<undefined>>;
  /** Raises the balance of each of the accounts, as the head has it; the accounts differ. */
  addBalance(accounts: readonly Uint8Array[], amount: bigint): Promise<Outcome<undefined>>;
  /** Sets the given facts of an account; others keep their values. */
  setAccount(address: Uint8Array, edit: EthereumAccountEdit): Promise<Outcome<undefined>>;
  /** Sets the given facts of the blocks that follow; others keep their values. */
  setBlockFacts(facts: EthereumBlockFacts): Promise<Outcome<undefined>>;
  /** The next block has exactly this time, seconds. */
  setNextBlockTimestamp(timestamp: bigint): Promise<Outcome<undefined>>;
  /**
   * Sets the clock to a time in seconds; resolves with the number of seconds that it moved forward, 0 when it moved
   * back.
   */
  setTime(timestamp: bigint): Promise<Outcome<bigint>>;
  /**
   * Every block has the time of the previous one plus `seconds`; undefined follows the clock again. Resolves with
   * whether there was an interval. It is not part of the chain, as the mining mode.
   */
  setTimestampInterval(seconds: bigint | undefined): Promise<Outcome<boolean>>;
  mining(): EthereumMining;
  /**
   * Sets the mining mode of the running node. It is not part of the chain: a restart begins with the mode of the
   * options. Instant uses the heartbeat of the options.
   */
  setMining(mining: EthereumMining): Promise<Outcome<undefined>>;
  /** Lets the trusting period of a light client of this chain pass. */
  expireClient(clientId: string): Promise<Outcome<undefined>>;
  /** Resolves with an id, counted from 1. */
  snapshot(): Promise<Outcome<bigint>>;
  /** Resolves with false for an unknown or used id. */
  revert(id: bigint): Promise<Outcome<boolean>>;
  /** Resolves when no revert is under way: a nonce that is read before it may be one of the branch that is left. */
  revertEnded(): Promise<void>;
  /** Takes the last `depth` blocks back; refuses more than there are. */
  rollback(depth: bigint): Promise<Outcome<undefined>>;
  /** Takes the blocks above a height back, also those that are made while the command waits. */
  rollbackTo(height: bigint): Promise<Outcome<undefined>>;
  /**
   * Takes the last `depth` blocks back and makes as many others. The sends of each block are called in order before it
   * is made, while no other block can begin.
   */
  reorganize(depth: number, blocks: readonly (readonly DevSend[])[]): Promise<Outcome<undefined>>;
  /**
   * Takes everything back to the genesis; settings of dev mode are those of the start, and so are the dev accounts.
   * Keys that the node was given stay.
   */
  reset(): Promise<Outcome<undefined>>;
}

/** Sends one transaction; its refusal ends the command that called it. */
export type DevSend = () => Promise<Outcome<unknown>>;

/** Commands that take waiting transactions away. */
export interface DevPoolCommands {
  /** Resolves with whether a transaction with this Ethereum or consensus hash waited. */
  dropTransaction(hash: Uint8Array): Promise<Outcome<boolean>>;
  dropAllTransactions(): Promise<Outcome<undefined>>;
  dropTransactionsOf(sender: Uint8Array): Promise<Outcome<undefined>>;
}

/** Commands that write the storage of an ERC-20 token, whose slots are found by its own answers. */
export interface DevTokenCommands {
  /** Sets `balanceOf(owner)`. */
  setTokenBalance(token: Uint8Array, owner: Uint8Array, amount: bigint): Promise<Outcome<undefined>>;
  /** Sets `allowance(owner, spender)`. */
  setTokenAllowance(
    token: Uint8Array,
    owner: Uint8Array,
    spender: Uint8Array,
    amount: bigint,
  ): Promise<Outcome<undefined>>;
}

/**
 * Accounts for which this node sends without a signature. A setting of the process: a restart begins without any, and a
 * revert keeps it.
 */
export interface Impersonation {
  /** Refuses with `limit-exceeded` beyond the limit `devImpersonated`. */
  start(address: Uint8Array): Outcome<undefined>;
  /** Returns whether the account was one of `addresses`. */
  stop(address: Uint8Array): boolean;
  /** Every account is impersonated, or only those that were named. */
  setAutomatic(isOn: boolean): void;
  has(address: Uint8Array): boolean;
  /** The accounts that were named, in order. */
  addresses(): readonly Uint8Array[];
}

/** Compiled contracts that clients gave; calls are logged with their names. A setting of the process. */
export interface GivenContracts {
  /** Another list whenever one was added. */
  readonly all: readonly Contract[];
  /**
   * By qualified names, which take the place of those before. Refuses with `limit-exceeded` beyond `artifacts` and
   * `givenContractBytes`, and adds none of them then.
   */
  add(contracts: ReadonlyMap<string, Contract>): Outcome<undefined>;
}

/** Facts of a node in dev mode. */
export interface DevFacts {
  /** The genesis allows transactions without signatures, by which accounts and facts of blocks are set. */
  readonly takesTransactions: boolean;
  /** The rules of the EVM, as `osaka`. */
  readonly hardFork: EvmFork;
  /** 32 bytes that a restart keeps and a reset does not; others before the first block. */
  readonly instanceId: Uint8Array;
  /** Time of the genesis, seconds. */
  readonly genesisTime: bigint;
  /** Time of the host when the last block was published, seconds. */
  readonly lastBlockWallTime: bigint;
  /** Heights of the valid snapshots by their ids. */
  readonly snapshots: ReadonlyMap<bigint, Height>;
}

/**
 * When blocks are made: for each transaction, at intervals in milliseconds, or on request. With `longestMs` each pause
 * is drawn from `intervalMs` to it.
 */
export type EthereumMining =
  | { readonly kind: 'instant' }
  | { readonly kind: 'interval'; readonly intervalMs: number; readonly longestMs?: number }
  | { readonly kind: 'manual' };

/** Empty code removes the code; slots and values have 32 bytes. */
export interface EthereumAccountEdit {
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly slots?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

/** Facts of blocks that a developer sets on a development chain. */
export interface EthereumBlockFacts {
  /** COINBASE of all later blocks, 20 bytes; empty gives the proposer back. */
  readonly coinbase?: Uint8Array;
  /** `extraData` of all later blocks, at most 32 bytes. */
  readonly extraData?: Uint8Array;
  /** Gas limit of all later blocks. */
  readonly gasLimit?: bigint;
  /** Base fee of the next block, wei. */
  readonly nextBaseFee?: bigint;
  /** PREVRANDAO of the next block, 32 bytes. */
  readonly nextPrevRandao?: Uint8Array;
  /**
   * For all later blocks: the address (20 bytes) that ecrecover gives for a signature (65 bytes: r, s and v), whatever
   * was signed.
   */
  readonly impersonatedSignature?: { readonly signature: Uint8Array; readonly signer: Uint8Array };
}
