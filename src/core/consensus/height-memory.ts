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
 * Proposals, signatures and inputs of this process's validators at the running height. The memory outlives the actor:
 * a restarted actor replays the same inputs with the same proposals and reaches the same state, and reuses signed
 * votes instead of signing again. So no validator signs two different votes for one height, round and step. CometBFT
 * uses its write-ahead log and `priv_validator_state.json` for this (v0.38 `consensus/replay.go`, `privval/file.go`);
 * this memory is lost when the process ends.
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

  /** The running height: undecided, or decided but not applied yet. Undefined before the first `begin`. */
  get height(): Height | undefined {
    return this.#height;
  }

  /** Moves on to a height; returns false when it is already the running one. Heights must rise until `forget`. */
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

  /** Clears the memory after a revert of the chain: heights of the new branch have no votes yet. */
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

  /** Returns the proposal of a round, and calls `build` only when it has none. */
  proposal(round: number, build: () => ProposedBlock): ProposedBlock {
    const known = this.#proposals.get(round);
    if (known !== undefined) return known;
    const built = build();
    this.#proposals.set(round, built);
    return built;
  }

  /** Proposals of all rounds of the height. */
  proposals(): Iterable<ProposedBlock> {
    return this.#proposals.values();
  }

  /** Returns a validator's vote in a step of a round, and calls `sign` only when it has none. */
  vote(self: number, round: number, type: SignedMsgType, sign: () => Vote): Vote {
    const key = `${self}/${round}/${type}`;
    const known = this.#votes.get(key);
    if (known !== undefined) return known;
    const signed = sign();
    this.#votes.set(key, signed);
    return signed;
  }
}
