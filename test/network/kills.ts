/** Seeded kills of the processes of a network; after each, the whole network must make blocks. */
import type { Validator, Victim } from './validators.js';

/** Largest number of blocks between two kills. */
const BLOCKS_BETWEEN = 4;
const KINDS: readonly Victim[] = ['engine', 'node', 'both'];

interface Ended {
  readonly node: Validator;
  readonly kind: Victim;
}

export class Kills {
  readonly #counts = { engine: 0, node: 0, both: 0 };
  #height = 0;

  constructor(
    private readonly nodes: readonly Validator[],
    private readonly random: () => number,
  ) {}

  /** Height that every node reached after the last kill. */
  get height(): number {
    return this.#height;
  }

  /** Count of each kind of kill, as text. */
  get told(): string {
    const { engine, node, both } = this.#counts;
    return `killed: ${engine} engines, ${node} nodes, ${both} of both at once`;
  }

  /** Kills this node, and sometimes others with it. Returns a function that starts all of them again. */
  async around(node: Validator): Promise<() => Promise<void>> {
    const others = this.nodes.filter((other) => other !== node);
    const more = this.random() < 0.3 ? this.#chosen(others) : [];
    const victims = [
      { node, kind: this.#kind(['node', 'both']) },
      ...more.map((other) => ({ node: other, kind: this.#kind(KINDS) })),
    ];
    await this.#end(victims);
    return () => this.#goOn(victims);
  }

  /** Kills engines and nodes, except this node, and starts them again. */
  async besides(node: Validator): Promise<void> {
    const victims = this.#chosen(this.nodes).map((one) => ({
      node: one,
      kind: one === node ? 'engine' : this.#kind(KINDS),
    }));
    await this.#end(victims);
    await this.#goOn(victims);
  }

  /** Machines to kill at once: one, without which the chain continues, or more, which stop it until they return. */
  #chosen(nodes: readonly Validator[]): readonly Validator[] {
    const first = Math.floor(this.random() * nodes.length);
    const many = this.random();
    const count = many < 0.7 ? 1 : many < 0.9 ? 2 : nodes.length;
    return [...nodes.slice(first), ...nodes.slice(0, first)].slice(0, count);
  }

  #kind(kinds: readonly Victim[]): Victim {
    return kinds[Math.floor(this.random() * kinds.length)] ?? 'both';
  }

  async #end(victims: readonly Ended[]): Promise<void> {
    await Promise.all(victims.map(({ node, kind }) => node.kill(kind)));
    for (const { kind } of victims) this.#counts[kind] += 1;
  }

  async #goOn(victims: readonly Ended[]): Promise<void> {
    await Promise.all(victims.map(({ node, kind }) => node.restart(kind)));
    const head = Math.max(...(await Promise.all(this.nodes.map((node) => node.height()))));
    const height = head + 1 + Math.floor(this.random() * BLOCKS_BETWEEN);
    await Promise.all(this.nodes.map((node) => node.reached(height)));
    this.#height = height;
  }
}
