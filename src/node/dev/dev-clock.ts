import { create } from '@bufbuild/protobuf';
import { medianTime } from '../../core/comet/block-time.js';
import { equalBytes } from '../../core/comet/text.js';
import { toTimestamp } from '../../core/comet/time.js';
import { voteSignBytes } from '../../core/comet/vote.js';
import { ed25519Address } from '../../core/comet/address.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Clock } from '../../core/ports/time.js';
import { toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import {
  CommitSchema,
  CommitSigSchema,
  SignedMsgType,
  VoteSchema,
  type Commit,
} from '../../core/proto/tendermint/types/types_pb.js';
import type { EventLog } from '../../store/event-log.js';
import { readClockShift } from '../../store/dev/dev-rows.js';
import { BlockIDFlag, type ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';

const NS_PER_MS = 1_000_000n;

export interface DevClockOptions {
  /** The clock of the host, or virtual time. */
  readonly host: Clock;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly chainId: string;
  readonly signer: ConsensusSigner;
  /** As the log left it. */
  readonly shift: bigint;
  /** Height whose commit was signed before the clock was moved; undefined when that of the head was not. */
  readonly signedBefore: Height | undefined;
}

/**
 * The clock of the blocks in dev mode: that of the host plus a shift. A block's time is the median of the votes in the
 * commit that it carries (BFT time), which were signed when the block before was decided; so that a moved clock shows in
 * the very next block, that commit is signed again when it was signed before the move. CometBFT's privval allows it:
 * only the timestamp differs, the block that is voted for does not.
 */
export class DevClock implements Clock {
  readonly #options: DevClockOptions;
  readonly #address: Uint8Array;
  #shift: bigint;
  #signedBefore: Height | undefined;
  #exact: TimeNs | undefined;

  constructor(options: DevClockOptions) {
    this.#options = options;
    this.#address = ed25519Address(options.crypto, options.signer.publicKey);
    this.#shift = options.shift;
    this.#signedBefore = options.signedBefore;
  }

  now(): TimeNs {
    return toTimeNs(this.#options.host.now() + this.#shift);
  }

  /** Nanoseconds between the host's clock and this one. */
  get shift(): bigint {
    return this.#shift;
  }

  /** The time that the next block was promised. */
  get exact(): TimeNs | undefined {
    return this.#exact;
  }

  /** Shift by which the clock shows `time` now. */
  shiftFor(time: TimeNs): bigint {
    return time - this.#options.host.now();
  }

  /** Moves the clock while no block is in flight. `head` is the last decided height; `exact` is the time of the next block. */
  move(shift: bigint, head: Height, exact?: TimeNs): void {
    this.#shift = shift;
    this.#signedBefore = head;
    this.#exact = exact;
  }

  /**
   * The commit of the block before as the next block carries it, and the time that it gives that block: later than
   * `before`, the time of the block that was committed.
   */
  lastCommit(
    commit: Commit,
    validators: ValidatorSet,
    before: TimeNs,
  ): { readonly commit: Commit; readonly time: TimeNs } {
    const carried = this.#signedBefore === commit.height ? this.#signedAgain(commit, validators, before) : commit;
    this.#exact = undefined;
    return { commit: carried, time: medianTime(carried, validators) };
  }

  #signedAgain(commit: Commit, validators: ValidatorSet, before: TimeNs): Commit {
    const { chainId, signer } = this.#options;
    const { height, round, blockId } = commit;
    const earliest = toTimeNs(before + NS_PER_MS);
    const now = this.#exact ?? this.now();
    const timestamp = toTimestamp(this.#exact !== undefined || now > earliest ? now : earliest);
    const signatures = commit.signatures.map((one, validatorIndex) => {
      const validatorAddress = validators.validators[validatorIndex]?.address;
      const isOurs =
        one.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT &&
        validatorAddress !== undefined &&
        equalBytes(validatorAddress, this.#address);
      if (!isOurs) return one;
      const vote = create(VoteSchema, {
        type: SignedMsgType.PRECOMMIT,
        height,
        round,
        timestamp,
        validatorAddress,
        validatorIndex,
        ...(blockId && { blockId }),
      });
      return create(CommitSigSchema, { ...one, timestamp, signature: signer.sign(voteSignBytes(chainId, vote)) });
    });
    return create(CommitSchema, { height, round, signatures, ...(blockId && { blockId }) });
  }
}

export interface OpenDevClock extends Pick<DevClockOptions, 'host' | 'crypto' | 'chainId' | 'signer'> {
  readonly log: Pick<EventLog, 'recordOf'>;
  readonly store: Pick<KeyValueStore, 'get'>;
  /** Last decided height. */
  readonly head: Height;
}

/** The clock as the log left it. */
export function openDevClock({ log, store, head, ...options }: OpenDevClock): DevClock {
  const kept = readClockShift(store);
  const decided = log.recordOf(head)?.decided.position ?? 0n;
  return new DevClock({
    ...options,
    shift: kept?.shift ?? 0n,
    signedBefore: kept !== undefined && kept.position > decided ? head : undefined,
  });
}
