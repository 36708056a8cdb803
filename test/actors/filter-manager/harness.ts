import { createFilterManager, type FilterManager } from '../../../src/actors/filter-manager/index.js';
import { Subject } from 'rxjs';
import type { Supervisor } from '../../../src/actors/supervisor/supervisor.js';
import type { EthereumFilters, FilterChanges, FilterCriteria, Polled } from '../../../src/core/ethereum/api.js';
import { matchesLog } from '../../../src/core/ethereum/log-match.js';
import type { FilterEvent, Recorded } from '../../../src/core/log-events.js';
import { createFilterTable, evolve, type Admissions, type Filter } from '../../../src/core/filters/index.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { toHeight, toPosition, type Position } from '../../../src/core/primitives.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { filterRow, deleteFilterRow, readFilters } from '../../../src/store/filters/filters.js';
import { MemoryStore } from '../../support/memory-store.js';
import type { Admitted } from '../../../src/streams/index.js';
import { admitted, collect, crypto, decided, executed, reverted } from '../../store/support.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { supervised } from '../supervised.js';
import type { Entry, Interest } from '../../../src/testing/index.js';

export interface ModelLog {
  readonly address: number;
  readonly topic: number;
  readonly text: string;
}

export type Fact =
  | { readonly kind: 'block'; readonly height: bigint; readonly logs: readonly ModelLog[] }
  | { readonly kind: 'pending'; readonly text: string };

/** A filter as it is requested from the node and as the model knows it. */
export interface FilterKind extends Interest<Fact> {
  readonly criteria: FilterCriteria;
}

export const addressOf = (number: number): Uint8Array => new Uint8Array(20).fill(number);
export const topicOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const kind = (name: string, criteria: FilterCriteria, texts: (fact: Fact) => readonly string[]): FilterKind => ({
  name,
  criteria,
  items: (fact) => texts(fact).map((key, place) => ({ key, place })),
});
const logKind = (
  name: string,
  criteria: Extract<FilterCriteria, { kind: 'logs' }>['criteria'],
  accepts: (log: ModelLog, height: bigint) => boolean,
): FilterKind =>
  kind(name, { kind: 'logs', criteria }, (fact) =>
    fact.kind === 'block' ? fact.logs.filter((log) => accepts(log, fact.height)).map(({ text }) => text) : [],
  );
const ANY = { fromBlock: undefined, toBlock: undefined, addresses: [], topics: [] } as const;

export const KINDS: readonly FilterKind[] = [
  kind('blocks', { kind: 'block' }, (fact) => (fact.kind === 'block' ? [`block ${fact.height}`] : [])),
  kind('pending', { kind: 'pending' }, (fact) => (fact.kind === 'pending' ? [fact.text] : [])),
  logKind('all logs', ANY, () => true),
  logKind('two addresses', { ...ANY, addresses: [addressOf(1), addressOf(2)] }, ({ address }) => address !== 3),
  logKind('a topic', { ...ANY, topics: [[topicOf(1)]] }, ({ topic }) => topic === 1),
  logKind(
    'an address and two topics',
    { ...ANY, addresses: [addressOf(3)], topics: [[topicOf(1), topicOf(2)]] },
    ({ address, topic }) => address === 3 && topic !== 3,
  ),
  logKind('two topics where logs have one', { ...ANY, topics: [[], []] }, () => false),
  logKind(
    'a range of blocks',
    { ...ANY, fromBlock: toHeight(3n), toBlock: toHeight(6n) },
    (_, height) => height >= 3n && height <= 6n,
  ),
];

/** A node reduced to its log, its store and the filter manager; `restart` keeps only the store. */
export class FilterNode {
  readonly store = new MemoryStore();
  readonly time = new VirtualTime();
  readonly history: Entry<Fact>[] = [];
  readonly limits: Limits;
  log!: EventLog;
  manager!: EthereumFilters & Pick<FilterManager, 'counters'> & { readonly stop: () => Promise<void> };
  supervisor!: Supervisor<'filterManager'>;
  /** The errors with which incarnations of the filter manager failed. */
  failures: readonly unknown[] = [];
  /** Appends begin on a later turn. */
  slowAppends = false;
  /** Number of row writes that fail from now on. */
  failingWrites = 0;
  #admitted = new Subject<Admitted>();
  #shown = toPosition(0n);
  #draws = 0;
  #life = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Milliseconds of virtual time. */
  now(): number {
    return Number(this.time.now() / 1_000_000n);
  }

  async start(): Promise<void> {
    this.log = await openEventLog({ store: this.store, crypto, clock: this.time, sync: 'block' });
    const { log, store } = this;
    this.#admitted = new Subject();
    this.#shown = log.head().position;
    this.#life += 1;
    const life = this.#life;
    // A killed process fires no timers.
    const timers = {
      after: (milliseconds: number, run: () => void) =>
        this.time.after(milliseconds, () => (life === this.#life ? run() : undefined)),
      yield: () => this.time.yield(),
    };
    const manager = createFilterManager({
      limits: this.limits,
      clock: this.time,
      timers,
      randomness: {
        bytes: (length) => crypto.sha256(new TextEncoder().encode(String((this.#draws += 1)))).slice(0, length),
      },
      stream: { live: this.#admitted, from: () => this.#admitted },
      head: () => ({ height: toHeight(this.height()), position: this.#shown }),
      hasAbandonedSince: () => false,
      executedAt: (height) => log.recordOf(height)?.executed?.position,
      hashOf: (tx) => tx,
      append: async (events, { put, forget }) => {
        if (this.slowAppends) await this.time.settle();
        await log.append(
          events.map((event) => ({ event })),
          [...put.map(filterRow), ...forget.map(deleteFilterRow)],
        );
      },
      writeRows: async (filters) => {
        if (this.failingWrites === 0) return await store.commit(filters.map(filterRow));
        this.failingWrites -= 1;
        // The outcome of a write, success or failure, comes on a later turn.
        await this.time.settle();
        throw new Error('EIO');
      },
      readRows: () => readFilters(store),
      admissions: (from, through, maximum) => this.#admissions(from, through, maximum),
    });
    const { supervisor, failures } = await supervised(manager.child, this.time, timers);
    this.supervisor = supervisor;
    this.failures = failures;
    this.manager = {
      ...manager.filters,
      counters: () => manager.counters(),
      stop: async () => {
        await supervisor.stop('filterManager');
        await manager.close();
      },
    };
  }

  async restart(how: 'clean' | 'killed'): Promise<void> {
    if (how === 'clean') await this.manager.stop();
    await this.start();
  }

  /** Restarts only the filter manager; resolves when it takes commands. */
  remake(): Promise<void> {
    return this.supervisor.restart('filterManager');
  }

  /** Makes the filter manager fail at the next record that it hears. */
  fail(): void {
    this.#admitted.next({
      type: 'admitted',
      position: this.#shown,
      get entries(): never {
        throw new Error('a defect');
      },
    });
  }

  height(): bigint {
    return this.history.reduce((height, { fact }) => (fact.kind === 'block' ? fact.height : height), 0n);
  }

  async mine(logs: readonly ModelLog[]): Promise<void> {
    const height = this.height() + 1n;
    this.#show(await this.log.append([{ event: decided(height) }, { event: executed(height) }]));
    this.history.push({ fact: { kind: 'block', height, logs } });
  }

  async admit(text: string): Promise<void> {
    const position = this.#show(await this.log.append([{ event: admitted(text) }]));
    this.history.push({ fact: { kind: 'pending', text } });
    this.#admitted.next({
      type: 'admitted',
      position,
      entries: [{ position, tx: new TextEncoder().encode(text), displaced: [] }],
    });
  }

  /** Reverts the chain to `height`. */
  async goBack(height: bigint): Promise<void> {
    this.#show(await this.log.append([{ event: reverted(height) }]));
    const kept = this.history.filter(({ fact }) => fact.kind !== 'block' || fact.height <= height);
    this.history.splice(0, this.history.length, ...kept);
  }

  #show(recorded: readonly Recorded[]): Position {
    const last = recorded.at(-1);
    if (last === undefined) throw new Error('nothing was appended');
    if (last.position > this.#shown) this.#shown = last.position;
    return last.position;
  }

  /** The answer of `eth_getFilterChanges`: whole blocks, with at most `logCap` logs at a time. */
  poll(id: string, logCap = Number.MAX_SAFE_INTEGER): Promise<Outcome<readonly string[] | undefined>> {
    return this.manager.poll(id, (changes) => Promise.resolve({ ok: true, value: this.answer(changes, logCap) }));
  }

  answer(changes: FilterChanges, logCap: number): Polled<readonly string[]> {
    if (changes.kind === 'blocks') return { value: changes.heights.map((height) => `block ${height}`) };
    if (changes.kind === 'pending') return { value: changes.hashes.map(textOf) };
    const found: string[] = [];
    for (const { fact } of this.history) {
      if (fact.kind !== 'block' || fact.height < changes.from || fact.height > changes.to) continue;
      found.push(
        ...fact.logs
          .filter((log) =>
            matchesLog(changes.criteria, { address: addressOf(log.address), topics: [topicOf(log.topic)] }),
          )
          .map(({ text }) => text),
      );
      if (found.length >= logCap) return { value: found, through: toHeight(fact.height) };
    }
    return { value: found };
  }

  /** Filters as derived from the log events alone, as in a rebuild of a store without rows. */
  async foldLog(): Promise<readonly Filter[]> {
    const table = createFilterTable();
    for (const recorded of (await collect(this.log.read({ from: toPosition(1n) }))).flat()) {
      if (isFilterEvent(recorded.event)) evolve(table, recorded.event, recorded.time);
    }
    return [...table.filters.values()];
  }

  async #admissions(from: Position, through: Position, maximum: number): Promise<Admissions> {
    const hashes: Uint8Array[] = [];
    for await (const events of this.log.read({ from: toPosition(from + 1n) })) {
      for (const { event, position } of events) {
        if (position > through) return { hashes, through };
        if (event.type === 'TxAdmitted') hashes.push(event.data.tx);
        if (hashes.length === maximum) return { hashes, through: position };
      }
    }
    return { hashes, through };
  }
}

function isFilterEvent(event: { readonly type: string }): event is FilterEvent {
  return event.type === 'FilterCreated' || event.type === 'FilterRemoved';
}
