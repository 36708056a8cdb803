/** The balances of a few holders as plain numbers: the model with which the chain is compared. */
import { FIXED_LIMITS } from '../../../../../src/core/limits/limits.js';

/** Numbers of holders: first the accounts that sign, then the contracts. */
export const PEOPLE = 4;
export const PLAYERS = 3;

export type Unit = 'achr' | 'ucoin' | 'token';
type Column = Unit | 'wrapped';

/** One call of a player. Holders are indexes in the list. */
export type Step =
  | { readonly kind: 'value'; readonly to: number; readonly amount: bigint }
  | { readonly kind: 'transfer'; readonly unit: Unit; readonly to: number; readonly amount: bigint }
  /** In whole coins; the other amounts of achr are wei. */
  | { readonly kind: 'delegate'; readonly amount: bigint }
  | { readonly kind: 'deposit'; readonly amount: bigint }
  | Frame;

/** The calls of one player, which are undone together or not at all. */
export interface Frame {
  readonly kind: 'frame';
  readonly player: number;
  readonly value: bigint;
  readonly steps: readonly Step[];
  readonly undone: boolean;
}

export type Act =
  | {
      readonly kind: 'send';
      readonly from: number;
      readonly to: number;
      readonly unit: Exclude<Column, 'token'>;
      readonly amount: bigint;
    }
  | { readonly kind: 'to coins' | 'to tokens'; readonly from: number; readonly to: number; readonly amount: bigint }
  | { readonly kind: 'play'; readonly from: number; readonly frame: Frame };

const COLUMNS: readonly Column[] = ['achr', 'ucoin', 'wrapped', 'token'];

export class Model {
  #has: ReadonlyMap<Column, readonly bigint[]>;
  /** Calls of precompiles in this transaction, also those that were undone. */
  #calls = 0;

  readonly #unit: bigint;

  /** `funds`: the balance of each holder in each unit but the wrapped token; `unit`: wei in a base unit of achr. */
  constructor(funds: bigint, unit: bigint) {
    this.#unit = unit;
    const all = (amount: bigint): readonly bigint[] => Array.from({ length: PEOPLE + PLAYERS }, () => amount);
    this.#has = new Map([
      ['achr', all(funds * unit)],
      ['ucoin', all(funds)],
      ['wrapped', all(0n)],
      ['token', all(funds)],
    ]);
  }

  /** Achr in wei, ucoin, wrapped and token of each holder. */
  shown(): readonly string[] {
    return Array.from({ length: PEOPLE + PLAYERS }, (_, holder) =>
      COLUMNS.map((column) => this.#of(column, holder)).join(' '),
    );
  }

  /** Applies an act, and returns whether it succeeds; one that fails changes nothing. */
  does(act: Act): boolean {
    this.#calls = 0;
    switch (act.kind) {
      case 'send':
        return act.amount > 0n && this.#sends(act.unit, act.from, act.to, act.amount);
      case 'to coins':
        return act.amount > 0n && this.#become('token', 'wrapped', act);
      case 'to tokens':
        return act.amount > 0n && this.#become('wrapped', 'token', act);
      case 'play':
        return this.#plays({ ...act.frame, value: 0n }, act.from);
    }
  }

  #of(column: Column, holder: number): bigint {
    return this.#has.get(column)?.[holder] ?? 0n;
  }

  #add(column: Column, holder: number, amount: bigint): void {
    const next = [...(this.#has.get(column) ?? [])];
    next[holder] = this.#of(column, holder) + amount;
    this.#has = new Map([...this.#has, [column, next]]);
  }

  #move(column: Column, from: number, to: number, amount: bigint): boolean {
    if (this.#of(column, from) < amount) return false;
    this.#add(column, from, -amount);
    this.#add(column, to, amount);
    return true;
  }

  /** Bank moves whole coins: fractions of achr are not spent. */
  #sends(column: Column, from: number, to: number, amount: bigint): boolean {
    const unit = column === 'achr' ? this.#unit : 1n;
    return this.#move(column, from, to, amount * unit);
  }

  #become(given: Column, taken: Column, { from, to, amount }: { from: number; to: number; amount: bigint }): boolean {
    if (this.#of(given, from) < amount) return false;
    this.#add(given, from, -amount);
    this.#add(taken, to, amount);
    return true;
  }

  #plays({ player, value, steps, undone }: Frame, from: number): boolean {
    const before = this.#has;
    if (!this.#move('achr', from, PEOPLE + player, value)) return false;
    for (const step of steps) this.#takes(step, PEOPLE + player);
    if (undone) this.#has = before;
    return !undone;
  }

  #takes(step: Step, by: number): void {
    switch (step.kind) {
      case 'frame':
        this.#plays(step, by);
        return;
      case 'value':
        this.#move('achr', by, step.to, step.amount);
        return;
      case 'transfer':
        if (step.unit === 'token') this.#move('token', by, step.to, step.amount);
        else if (this.#isCalled() && step.amount > 0n) this.#move(step.unit, by, step.to, step.amount);
        return;
      case 'delegate':
        if (this.#isCalled() && step.amount > 0n && this.#of('achr', by) >= step.amount * this.#unit)
          this.#add('achr', by, -step.amount * this.#unit);
        return;
      case 'deposit':
        // a deposit returns what was sent; without the value nothing is called
        if (this.#of('achr', by) >= step.amount) this.#isCalled();
        return;
    }
  }

  /** Counts a precompile call; false beyond the limit of a transaction. */
  #isCalled(): boolean {
    this.#calls += 1;
    return this.#calls <= FIXED_LIMITS.precompileCalls;
  }
}
