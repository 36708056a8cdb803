/**
 * How to undo what stateful precompiles changed outside the EVM. The EVM's journal remembers how long the log was, so a
 * reverted frame moves that mark back, and what is beyond the mark is undone (evm-engine.md "Stateful precompiles").
 */
export class UndoLog {
  readonly #reverts: (() => void)[] = [];

  get length(): number {
    return this.#reverts.length;
  }

  push(revert: () => void): void {
    this.#reverts.push(revert);
  }

  /** Undoes everything after the first `mark` entries, last first. */
  rollBack(mark: number): void {
    while (this.#reverts.length > mark) this.#reverts.pop()?.();
  }

  /** The changes stay. */
  accept(): void {
    this.#reverts.length = 0;
  }
}
