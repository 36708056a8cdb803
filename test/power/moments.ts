/** Positions of a trace at which a power cut does the most harm. */
import type { Operation, Trace } from './trace.js';

/** Operations after a harmful one that still count as near it. */
const NEAR = 40;

export class Moments {
  readonly #count: number;
  readonly #kinds: readonly (readonly number[])[];

  constructor({ operations }: Trace) {
    this.#count = operations.length;
    const places = (is: (operation: Operation) => boolean): number[] =>
      operations.flatMap((operation, place) => (is(operation) ? [place] : []));
    this.#kinds = [
      switches(operations),
      switches(operations),
      switches(operations),
      places((operation) => operation.kind === 'create' && /^MANIFEST|\.ldb$/.test(operation.at.name)),
      places(({ kind }) => kind === 'rename' || kind === 'remove' || kind === 'link'),
      places(({ kind }) => kind === 'shown' || kind === 'admitted'),
      places(({ kind }) => kind === 'reverting' || kind === 'reverted'),
      places(({ kind }) => kind === 'life'),
    ].filter((kind) => kind.length > 0);
  }

  /** A random position: mostly at or shortly after a harmful operation, otherwise anywhere. */
  draw(random: () => number): number {
    const kind = this.#kinds[Math.floor(random() * (this.#kinds.length + 1))];
    const near = kind?.[Math.floor(random() * kind.length)];
    if (near === undefined) return Math.floor(random() * (this.#count + 1));
    return Math.min(this.#count, near + 1 + Math.floor(random() * random() * NEAR));
  }
}

/** Every position between the creation of a write-ahead log and the removal of the previous one. */
function switches(operations: readonly Operation[]): number[] {
  const places: number[] = [];
  let open = false;
  for (const [place, operation] of operations.entries()) {
    if (operation.kind === 'create' && operation.at.name.endsWith('.log')) open = true;
    if (operation.kind === 'remove' && operation.at.name.endsWith('.log')) open = false;
    if (open) places.push(place);
  }
  return places;
}
