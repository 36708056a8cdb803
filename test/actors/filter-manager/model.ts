/**
 * What a polling filter promises (reliability-security.md 2.3), as plain lists. The chain is a list of facts in the order
 * in which they were shown. A filter is an index into that list; what a poll answers is the matching facts between the
 * index and the end, and the index moves to the end. A filter without a poll for five minutes is gone.
 */
import type { FilterCriteria } from '../../../src/core/ethereum/api.js';

export interface ModelLog {
  readonly address: number;
  readonly topic: number;
  readonly text: string;
}

export type Fact =
  | { readonly kind: 'block'; readonly height: bigint; readonly logs: readonly ModelLog[] }
  | { readonly kind: 'pending'; readonly text: string };

/** A filter as the test asks for it and as a predicate. */
export interface ModelKind {
  readonly criteria: FilterCriteria;
  /** Items of a fact that the filter answers. */
  readonly items: (fact: Fact) => readonly string[];
}

const IDLE_MS = 300_000;

export class ModelFilter {
  #next: number;
  #lastPoll: number;

  constructor(
    readonly kind: ModelKind,
    now: number,
    facts: readonly Fact[],
  ) {
    this.#next = facts.length;
    this.#lastPoll = now;
  }

  isAlive(now: number): boolean {
    return now - this.#lastPoll < IDLE_MS;
  }

  /** A poll that failed: a sign of life, nothing answered. */
  touch(now: number): void {
    this.#lastPoll = now;
  }

  poll(now: number, facts: readonly Fact[]): readonly string[] {
    this.#lastPoll = now;
    const news = facts.slice(this.#next).flatMap((fact) => this.kind.items(fact));
    this.#next = facts.length;
    return news;
  }
}
