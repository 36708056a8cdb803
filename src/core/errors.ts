import { FIXED_LIMITS } from './limits/limits.js';

/**
 * Expected failures as values. Codes are stable, messages are not; each adapter has one total table from codes to wire
 * errors.
 */
export type DomainError =
  | { readonly code: 'height-not-positive'; readonly height: bigint }
  | { readonly code: 'height-in-future'; readonly height: bigint; readonly head: bigint }
  /** The block at the height was pruned. */
  | { readonly code: 'height-pruned'; readonly height: bigint; readonly lowest: bigint }
  /** The state after the block at the height was pruned. */
  | { readonly code: 'state-pruned'; readonly height: bigint; readonly lowest: bigint }
  | { readonly code: 'no-results-for-height'; readonly height: bigint }
  | { readonly code: 'tx-not-found'; readonly hash: string }
  | { readonly code: 'tx-in-cache' }
  /** A chain rule refused the transaction; `message` is the rule's text. */
  | { readonly code: 'tx-refused'; readonly message: string }
  | { readonly code: 'tx-too-large'; readonly bytes: number; readonly maximum: number }
  | {
      readonly code: 'mempool-full';
      readonly txs: number;
      readonly bytes: number;
      readonly maximumTxs: number;
      readonly maximumBytes: number;
    }
  /** A pending transaction has this nonce, and the new one does not pay enough more. */
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

/** Result of a command or query that can fail for a reason that its caller handles. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: DomainError };

/** Result of a command that returns nothing. */
export const DONE = { ok: true, value: undefined } as const satisfies Outcome<undefined>;

/** Creates the error of a command that cannot be executed. */
export function refused(message: string) {
  return { ok: false, error: { code: 'invalid-params', message } } as const satisfies Outcome<never>;
}

/** Error of every command after the node began to stop. */
export const NODE_STOPPING = { code: 'halted', reason: 'the node is stopping' } as const satisfies DomainError;

/** Error of commands that need blocks while the chain is halted for an upgrade. */
export const CHAIN_HALTED: DomainError = {
  code: 'halted',
  reason:
    'the chain waits for an upgrade; its plan: chronicled query upgrade plan; go on: chronicled start --app-version',
};

/** Error of commands that need blocks on a node whose key is not in the validator set. */
export const NO_VALIDATOR = {
  code: 'no-validator',
  message:
    "this node makes no blocks: its key is no validator of the chain; put a validator's key into config/priv_validator_key.json of its home",
} as const satisfies DomainError;

/** Error of transactions and commands that need blocks while the disk is too full. */
export const DISK_FULL = {
  code: 'halted',
  reason: 'the disk is full; it goes on when there is space',
} as const satisfies DomainError;

export type DomainErrorCode = DomainError['code'];

/**
 * Thrown when a write to the node's storage fails: its outcome is unknown, and the node stops. Clients receive
 * `refusal` instead of the cause, which may contain paths.
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

/** Error that clients get for a storage failure; undefined for other errors. */
export function storageRefusal(error: unknown): DomainError | undefined {
  return causesOf(error).find((one) => one instanceof StorageFailure)?.refusal;
}

/** Error for waiting callers when storage work failed with `error`. */
export function refusalOfFailure(error: unknown): DomainError {
  return storageRefusal(error) ?? { code: 'storage-failed' };
}

/** True for a full disk: ENOSPC, or LevelDB's text for it. */
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

/** Throws when a condition of this program's own code is false; input never causes it. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition !== true) throw new Error(`invariant: ${message}`);
}
