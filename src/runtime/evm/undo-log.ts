/**
 * Inverses of the changes that stateful precompiles made outside of the EVM. The EVM's journal stores the length of
 * this log; a reverted frame restores the earlier length, and the entries after it are undone.
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

  /** Clears the log and keeps the changes. */
  accept(): void {
    this.#reverts.length = 0;
  }
}
