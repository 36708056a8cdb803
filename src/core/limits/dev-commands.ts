import { RELAYER_LIMITS } from './relayer.js';

/** Limits of the commands of dev mode; part of `FIXED_LIMITS`. */
export const DEV_COMMAND_LIMITS = {
  ...RELAYER_LIMITS,
  /** Keys that a node in dev mode is given or makes while it runs. */
  devKeys: 1_000,
  /** Signatures for which the signer that ecrecover returns was set; beyond it the oldest one is forgotten. */
  devSignatures: 256,
  /** Accounts of one command: not more than `devWaiting`, so that their transactions are in one block. */
  devListedAccounts: 256,
  /** Accounts of a dev chain. */
  devAccounts: 10_000n,
  /** Bytes of a state that `anvil_loadState` looks at between two turns of the event loop: about 5 ms. */
  devStateTurnBytes: 1024 * 1024,
  /** Accounts and slots of it that are read between two turns: about 10 ms. */
  devStateTurnValues: 4_096,
  /** Rows of the state that one step of `anvil_dumpState` reads. */
  devDumpRows: 256,
  /** Longest interval between blocks that a development command sets, seconds: less than the longest timer. */
  devIntervalSeconds: 2_000_000n,
  /** Branches of a chain that run at once, each a process of about 150 MB. */
  branches: 2,
  /** Longest start of a branch, which copies the chain and goes back, milliseconds. */
  branchStartMs: 60_000,
  /** Characters that are kept of what a branch writes before it is ready. */
  branchOutput: 4_096,
} as const;

/** Limits of what dev mode holds and does at once; part of `DEFAULT_LIMITS`. */
export const DEV_MODE_LIMITS = {
  /** Blocks of one `evm_mine`. */
  devMineBlocks: 100_000,
  /** Blocks that one `evm_revert` abandons. */
  devRevertBlocks: 100_000,
  /** Rows of the blocks that one `evm_revert` abandons, changed in one batch; rows of one `anvil_dumpState`. */
  devRevertRows: 1_000_000,
  /** Valid snapshots of dev mode. */
  devSnapshots: 10_000,
  /** Accounts that dev mode impersonates. */
  devImpersonated: 10_000,
  /** Bytes of a state of `anvil_dumpState` and `anvil_loadState`, without compression. */
  devStateBytes: 64 * 1024 * 1024,
  /** Objects, members and values of the accounts of such a state: a quarter of a second to parse. */
  devStateParts: 250_000,
  /** Waiting commands of dev mode, and transactions that one of them sends before it makes a block. */
  devWaiting: 256,
} as const;
