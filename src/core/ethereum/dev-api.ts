/** Dev mode commands that Ethereum JSON-RPC offers (`docs/interfaces/dev-commands.md`). */
import type { Contract } from '../abi/contract.js';
import type { Outcome } from '../errors.js';
import type { EvmFork } from '../evm/transaction.js';
import type { Height } from '../primitives.js';
import type { ChainBranches } from './chain-branches.js';
import type { PacketCommands } from './packet-commands.js';
import type { UnsignedTransaction } from './unsigned.js';

export type * from './packet-commands.js';

/**
 * Dev mode commands (`evm_*`, `anvil_*`). Commands that change the chain or its clock are events in the log, so they
 * survive restart and replay.
 */
export interface EthereumDevApi extends DevChainCommands, DevPoolCommands, DevTokenCommands {
  readonly impersonation: Impersonation;
  /**
   * Adds a signing key until the process ends; generates one when `privateKey` (32 bytes) is undefined. Returns its
   * address. Refuses an invalid key, one that is already held, and more than the limit `devKeys`.
   */
  holdKey(privateKey: Uint8Array | undefined): Outcome<Uint8Array>;
  /**
   * Removes an account's key until the process ends; keys of the start return after a reset. Returns whether the key
   * was held.
   */
  releaseKey(address: Uint8Array): boolean;
  /** Accounts of the start whose keys are held, in order; the genesis of a dev chain funds them. */
  startAccounts(): readonly Uint8Array[];
  /** Admits an unsigned transaction; resolves with its hash. */
  sendUnsigned(transaction: UnsignedTransaction, sender: Uint8Array): Promise<Outcome<Uint8Array>>;
  /**
   * State after the head in anvil's format: gzip-compressed JSON. Fails with `limit-exceeded` when the state has too
   * many rows.
   */
  dumpState(): Promise<Outcome<Uint8Array>>;
  /** Adds the accounts of such a dump to the state; none of them when one is refused. */
  loadState(dump: Uint8Array): Promise<Outcome<undefined>>;
  facts(): DevFacts;
  /**
   * Gas price in wei that `eth_gasPrice` returns and that transactions sent by the node use by default. Undefined:
   * price follows fees.
   */
  readonly quotes: { gasPrice: bigint | undefined };
  readonly givenContracts: GivenContracts;
  /** Undefined on a node without a second chain. */
  readonly packets: PacketCommands | undefined;
  /** Undefined when a program runs the node in its own process. */
  readonly chainBranches: ChainBranches | undefined;
  /** Whether the node prints lines about blocks and transactions. */
  readonly logging: { isOn: boolean };
}

/** Seconds between the blocks of one `mine` command. */
export interface BlockSteps {
  readonly seconds: bigint;
  /** True: the first block is one step after the current time. False: it has the current time. */
  readonly beforeFirst: boolean;
}

/** Commands that make blocks, move the clock, or revert blocks. */
export interface DevChainCommands {
  /**
   * Mines blocks. The first one has the time `timestamp`, if given; each later one adds the seconds of `steps`, if
   * given. Resolves with the height of the last block; the others directly precede it.
   */
  mine(blocks: number, timestamp: bigint | undefined, steps?: BlockSteps): Promise<Outcome<Height>>;
  /** Moves the clock forward; resolves with the total shift in seconds. */
  increaseTime(seconds: bigint): Promise<Outcome<bigint>>;
  /** Sets the balance of each account; accounts must differ. */
  setBalance(accounts: readonly Uint8Array[], balance: bigint): Promise<Outcome<undefined>>;
  /** Adds an amount to each account's balance at the head; accounts must differ. */
  addBalance(accounts: readonly Uint8Array[], amount: bigint): Promise<Outcome<undefined>>;
  /** Sets the given fields of an account; others stay. */
  setAccount(address: Uint8Array, edit: EthereumAccountEdit): Promise<Outcome<undefined>>;
  /** Sets the given facts for the following blocks; others stay. */
  setBlockFacts(facts: EthereumBlockFacts): Promise<Outcome<undefined>>;
  /** Sets the exact time of the next block, in seconds. */
  setNextBlockTimestamp(timestamp: bigint): Promise<Outcome<undefined>>;
  /** Sets the clock to a time in seconds; resolves with the seconds that it moved forward, 0 when it moved back. */
  setTime(timestamp: bigint): Promise<Outcome<bigint>>;
  /**
   * Sets each block's time to the previous block's plus `seconds`; undefined follows the clock again. Resolves with
   * whether an interval was set before. Like the mining mode, it is a setting of the process and not part of the
   * chain.
   */
  setTimestampInterval(seconds: bigint | undefined): Promise<Outcome<boolean>>;
  mining(): EthereumMining;
  /**
   * Sets the mining mode of the running node. It is not part of the chain: a restart uses the mode of the options.
   * Instant mode keeps the heartbeat of the options.
   */
  setMining(mining: EthereumMining): Promise<Outcome<undefined>>;
  /** Makes a light client of this chain expire by letting its trusting period pass. */
  expireClient(clientId: string): Promise<Outcome<undefined>>;
  /** Takes a snapshot; resolves with its id, which counts from 1. */
  snapshot(): Promise<Outcome<bigint>>;
  /** Reverts to a snapshot; resolves with false for an unknown or used id. */
  revert(id: bigint): Promise<Outcome<boolean>>;
  /** Resolves when no revert is running: nonces read earlier may belong to the abandoned branch. */
  revertEnded(): Promise<void>;
  /** Reverts the last `depth` blocks; refuses more than there are. */
  rollback(depth: bigint): Promise<Outcome<undefined>>;
  /** Reverts all blocks above a height, including those made while the command waits. */
  rollbackTo(height: bigint): Promise<Outcome<undefined>>;
  /**
   * Replaces the last `depth` blocks with as many new ones. Before each new block, its sends run in order; no other
   * block can start meanwhile.
   */
  reorganize(depth: number, blocks: readonly (readonly DevSend[])[]): Promise<Outcome<undefined>>;
  /** Reverts everything to the genesis; dev settings and accounts are those of the start. Keys added later stay. */
  reset(): Promise<Outcome<undefined>>;
}

/** Sends one transaction; an error ends the calling command. */
export type DevSend = () => Promise<Outcome<unknown>>;

/** Commands that remove pending transactions. */
export interface DevPoolCommands {
  /** Removes the transaction with this Ethereum or CometBFT hash; resolves with whether it was pending. */
  dropTransaction(hash: Uint8Array): Promise<Outcome<boolean>>;
  dropAllTransactions(): Promise<Outcome<undefined>>;
  dropTransactionsOf(sender: Uint8Array): Promise<Outcome<undefined>>;
}

/** Commands that write the storage of an ERC-20 token. They find the slots by probing the token's own functions. */
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
 * Accounts for which this node sends unsigned transactions. A setting of the process: a restart clears it, a revert
 * keeps it.
 */
export interface Impersonation {
  /** Starts impersonation; refuses with `limit-exceeded` beyond the limit `devImpersonated`. */
  start(address: Uint8Array): Outcome<undefined>;
  /** Stops impersonation; returns whether the account was one of `addresses`. */
  stop(address: Uint8Array): boolean;
  /** True: impersonates every account. False: only those of `addresses`. */
  setAutomatic(isOn: boolean): void;
  has(address: Uint8Array): boolean;
  /** Accounts for which `start` was called, in order. */
  addresses(): readonly Uint8Array[];
}

/**
 * Compiled contracts that clients uploaded; the activity log names calls with their ABI. A setting of the process.
 */
export interface GivenContracts {
  /** All contracts; a new array after each addition. */
  readonly all: readonly Contract[];
  /**
   * Adds contracts by qualified name; replaces those with equal names. Refuses with `limit-exceeded` beyond the
   * limits `artifacts` and `suppliedContractBytes`, and then adds none.
   */
  add(contracts: ReadonlyMap<string, Contract>): Outcome<undefined>;
}

/** Facts about a node in dev mode. */
export interface DevFacts {
  /** True when the genesis allows unsigned transactions, with which dev commands change accounts and block facts. */
  readonly takesTransactions: boolean;
  /** Active EVM fork, such as `osaka`. */
  readonly hardFork: EvmFork;
  /**
   * Id of the chain instance, 32 bytes: a restart keeps it and a reset changes it. It differs before the first block.
   */
  readonly instanceId: Uint8Array;
  /** Genesis time in seconds. */
  readonly genesisTime: bigint;
  /** Host time at which the last block was published, in seconds. */
  readonly lastBlockWallTime: bigint;
  /** Heights of valid snapshots by id. */
  readonly snapshots: ReadonlyMap<bigint, Height>;
}

/**
 * When blocks are made: for each transaction, at intervals in milliseconds, or on request. With `longestMs` each
 * interval is random between `intervalMs` and `longestMs`.
 */
export type EthereumMining =
  | { readonly kind: 'instant' }
  | { readonly kind: 'interval'; readonly intervalMs: number; readonly longestMs?: number }
  | { readonly kind: 'manual' };

/** Fields of an account to set. Empty code removes the code; slots and values have 32 bytes. */
export interface EthereumAccountEdit {
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly slots?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

/** Block facts that a developer sets on a dev chain. */
export interface EthereumBlockFacts {
  /** COINBASE of all later blocks, 20 bytes; empty restores the proposer. */
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
   * For all later blocks: ecrecover returns `signer` (20 bytes) for `signature` (65 bytes: r, s and v), no matter
   * which message was signed.
   */
  readonly impersonatedSignature?: { readonly signature: Uint8Array; readonly signer: Uint8Array };
}
