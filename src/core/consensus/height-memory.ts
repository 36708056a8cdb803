import type { ProposedBlock } from './block-key.js';
import type { Timeout } from './timeouts.js';
import { invariant } from '../errors.js';
import type { Height } from '../primitives.js';
import { SignedMsgType, type Vote } from '../proto/tendermint/types/types_pb.js';

/** The validator's index and the timeout of one of its rounds that has ended. */
export interface ExpiredTimeout {
  readonly self: number;
  readonly timeout: Timeout;
}

/** An input of the validators of one process: round 0 begins, or a round timer ends. All votes follow from these. */
export type HeightInput = { readonly kind: 'begin' } | ({ readonly kind: 'expired' } & ExpiredTimeout);

/**
 * The proposals and signatures of the validators of this process at the running height, and their inputs. It outlives
 * the actor. A new incarnation takes the same inputs in the same order with the same proposals, and reaches the state
 * of the earlier one; a signed vote is given again and not signed anew. So no validator signs two votes for one height,
 * round and step. CometBFT does the same with its write-ahead log and `priv_validator_state.json` (v0.38
 * `consensus/replay.go`, `privval/file.go`); this memory ends with the process.
 */
export class HeightMemory {
  #height: Height | undefined;
  #inputs: HeightInput[] = [];
  readonly #proposals = new Map<number, ProposedBlock>();
  readonly #votes = new Map<string, Vote>();
  #late: readonly Vote[] = [];
  /** True when the decision of the height was published. */
  decided = false;

  /** Inputs of the running height, oldest first. */
  get inputs(): readonly HeightInput[] {
    return this.#inputs;
  }

  /**
   * Precommits that the validators of this process signed at the previous height, including those after its decision.
   */
  get late(): readonly Vote[] {
    return this.#late;
  }

  /** The height that is decided next, or that is decided and not yet applied. */
  get height(): Height | undefined {
    return this.#height;
  }

  /** Moves on to a height; false when it is the running one. Heights rise until `forget`. */
  begin(height: Height): boolean {
    if (height === this.#height) return false;
    invariant(this.#height === undefined || height > this.#height, 'the height of consensus rises');
    const late =
      this.#height === height - 1n
        ? [...this.#votes.values()].filter(({ type }) => type === SignedMsgType.PRECOMMIT)
        : [];
    this.forget();
    this.#height = height;
    this.#late = late;
    return true;
  }

  /** The chain was reverted: another branch begins, whose heights have no votes yet. */
  forget(): void {
    this.#height = undefined;
    this.#inputs = [];
    this.#proposals.clear();
    this.#votes.clear();
    this.#late = [];
    this.decided = false;
  }

  took(input: HeightInput): void {
    this.#inputs.push(input);
  }

  /** The proposal of a round: the one built earlier, else the result of `build`. */
  proposal(round: number, build: () => ProposedBlock): ProposedBlock {
    const known = this.#proposals.get(round);
    if (known !== undefined) return known;
    const built = build();
    this.#proposals.set(round, built);
    return built;
  }

  /** Every proposal of the height. */
  proposals(): Iterable<ProposedBlock> {
    return this.#proposals.values();
  }

  /** The vote of a validator in a step of a round: the one signed earlier, else the result of `sign`. */
  vote(self: number, round: number, type: SignedMsgType, sign: () => Vote): Vote {
    const key = `${self}/${round}/${type}`;
    const known = this.#votes.get(key);
    if (known !== undefined) return known;
    const signed = sign();
    this.#votes.set(key, signed);
    return signed;
  }
}
