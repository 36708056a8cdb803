import { FIXED_LIMITS } from './limits/limits.js';

/**
 * Expected failures as values. Codes are stable, messages are not; each adapter has one total table from codes to wire
 * errors.
 */
export type DomainError =
  | { readonly code: 'height-not-positive'; readonly height: bigint }
  | { readonly code: 'height-in-future'; readonly height: bigint; readonly head: bigint }
  /** The block of the height is no longer kept. */
  | { readonly code: 'height-pruned'; readonly height: bigint; readonly lowest: bigint }
  /** The state after the block of the height is no longer kept. */
  | { readonly code: 'state-pruned'; readonly height: bigint; readonly lowest: bigint }
  | { readonly code: 'no-results-for-height'; readonly height: bigint }
  | { readonly code: 'tx-not-found'; readonly hash: string }
  | { readonly code: 'tx-in-cache' }
  /** A rule of the chain refused the transaction; the message is the text of that rule. */
  | { readonly code: 'tx-refused'; readonly message: string }
  | { readonly code: 'tx-too-large'; readonly bytes: number; readonly maximum: number }
  | {
      readonly code: 'mempool-full';
      readonly txs: number;
      readonly bytes: number;
      readonly maximumTxs: number;
      readonly maximumBytes: number;
    }
  /** A waiting transaction has this nonce, and the new one does not pay enough more. */
  | { readonly code: 'replacement-underpriced' }
  | { readonly code: 'busy'; readonly what: string }
  | { readonly code: 'bad-query'; readonly message: string }
  | { readonly code: 'invalid-params'; readonly message: string }
  | { readonly code: 'limit-exceeded'; readonly limit: string; readonly maximum: number }
  | { readonly code: 'timeout'; readonly milliseconds: number }
  | { readonly code: 'halted'; readonly reason: string }
  /** The consensus engine that drives this node does not answer. */
  | { readonly code: 'engine-unreachable'; readonly reason: string }
  /** This node makes no blocks, because its key is not in the validator set. */
  | { readonly code: 'no-validator'; readonly message: string }
  | { readonly code: 'storage-failed' };

/** The result of a command or query that can fail for a reason that its caller handles. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: DomainError };

/** The result of a command that returns nothing. */
export const DONE = { ok: true, value: undefined } as const satisfies Outcome<undefined>;

/** The refusal of a command that cannot be executed. */
export function refused(message: string) {
  return { ok: false, error: { code: 'invalid-params', message } } as const satisfies Outcome<never>;
}

/** The refusal of every command from the beginning of a stop on. */
export const NODE_STOPPING = { code: 'halted', reason: 'the node is stopping' } as const satisfies DomainError;

/** The refusal of commands that need blocks, on a chain that halts for an upgrade. */
export const CHAIN_HALTED: DomainError = {
  code: 'halted',
  reason:
    'the chain waits for an upgrade; its plan: chronicled query upgrade plan; go on: chronicled start --app-version',
};

/** The refusal of commands that need blocks, on a node whose key is no validator of its chain. */
export const NO_VALIDATOR = {
  code: 'no-validator',
  message:
    "this node makes no blocks: its key is no validator of the chain; put a validator's key into config/priv_validator_key.json of its home",
} as const satisfies DomainError;

/** The refusal of transactions and of commands that need blocks while the disk has too little space. */
export const DISK_FULL = {
  code: 'halted',
  reason: 'the disk is full; it goes on when there is space',
} as const satisfies DomainError;

export type DomainErrorCode = DomainError['code'];

/**
 * A write to the storage of the node failed; its outcome is unknown, and the node ends. Clients receive `refusal` in
 * place of the cause, which may name paths.
 */
export class StorageFailure extends Error {
  readonly refusal: DomainError;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.refusal = isDiskFull(cause) ? DISK_FULL_IN_FLIGHT : { code: 'storage-failed' };
  }
}

const DISK_FULL_IN_FLIGHT: DomainError = {
  code: 'halted',
  reason: 'the disk is full; what was being written may be there after the next start',
};

/** The refusal that a client gets for an error of the storage; undefined for other errors. */
export function storageRefusal(error: unknown): DomainError | undefined {
  return causesOf(error).find((one) => one instanceof StorageFailure)?.refusal;
}

/** The refusal for waiting callers when work of the storage failed with `error`. */
export function refusalOfFailure(error: unknown): DomainError {
  return storageRefusal(error) ?? { code: 'storage-failed' };
}

/** Checks for a full disk (ENOSPC), as an error of its own or in a text of LevelDB. */
function isDiskFull(error: unknown): boolean {
  return causesOf(error).some(
    (one) => ('code' in one && one.code === 'ENOSPC') || one.message.includes('No space left on device'),
  );
}

function causesOf(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let one = error; one instanceof Error && found.length < FIXED_LIMITS.causes; one = one.cause) found.push(one);
  return found;
}

/** Throws when a condition of this program's own code does not hold; input never causes it. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition !== true) throw new Error(`invariant: ${message}`);
}
