import type { FilterChanges } from '../../core/ethereum/api.js';
import { invariant } from '../../core/errors.js';
import type { FilterRemoved } from '../../core/log-events.js';
import {
  blocksDue,
  createFilterTable,
  deadlineAfter,
  decide,
  evolve,
  idleTimeLeft,
  nothingNew,
  onBranch,
  own,
  put,
  RecentAdmissions,
  type Admissions,
  type Filter,
  type FilterHead,
  type FilterTable,
} from '../../core/filters/index.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Clock } from '../../core/ports/time.js';
import { NS_PER_MS, toHeight, toTimeNs, type Height, type Position } from '../../core/primitives.js';
import type { Admitted } from '../../streams/index.js';
import type { Create, PollResult, Poll, Polled, Touch, Uninstall } from './commands.js';
import type { FilterRows, KeptFilter } from './filter-rows.js';

export interface InstalledFiltersOptions {
  readonly limits: Pick<
    Limits,
    | 'filters'
    | 'filtersPerClient'
    | 'filterTerms'
    | 'filterPollBlocks'
    | 'filterPollLogBlocks'
    | 'filterPollPending'
    | 'recentAdmissions'
  >;
  /** Clock that follows the timers. */
  readonly clock: Clock;
  /** The published head: height, and position of the newest event. */
  readonly head: () => FilterHead;
  /** Position of the BlockExecuted event of a block on the current branch; undefined below the first block. */
  readonly executedAt: (height: Height) => Position | undefined;
  /** True when a block with logs, published at or before `position`, was reverted after it. */
  readonly hasAbandonedSince: (position: Position) => boolean;
  /** Hash of an Ethereum transaction; undefined for other transactions. */
  readonly hashOf: (tx: Uint8Array) => Uint8Array | undefined;
  /** The first `maximum` Ethereum admissions in the log after `from`, up to `through`. */
  readonly admissions: (from: Position, through: Position, maximum: number) => Promise<Admissions>;
  readonly rows: FilterRows;
  /** True while a poll of the filter is in progress; the filter does not expire then. */
  readonly isPolled: (id: string) => boolean;
}

const REMOVALS_PER_BATCH = 1_000;

/**
 * The filters of one actor instance, loaded from the rows. A command replies when its writes are stored; its promise
 * rejects without a reply when a write, or a read of the log, fails.
 */
export class InstalledFilters {
  readonly #options: InstalledFiltersOptions;
  readonly #table: FilterTable = createFilterTable();
  readonly #recent: RecentAdmissions;
  /** Number of pending-transaction filters. */
  #pending = 0;

  constructor(options: InstalledFiltersOptions, kept: readonly KeptFilter[]) {
    this.#options = options;
    const head = options.head();
    const now = options.clock.now();
    this.#recent = new RecentAdmissions(options.limits.recentAdmissions, head.position);
    for (const { filter, client } of kept) {
      // An unsynced tail of the log may have been lost, so cursors are limited to the head.
      const position = filter.position > head.position ? head.position : filter.position;
      const latest = deadlineAfter(now);
      put(this.#table, { ...filter, position, deadline: filter.deadline > latest ? latest : filter.deadline });
      if (client !== undefined) own(this.#table, filter.id, client);
      this.#count(filter, 1);
    }
  }

  get counters(): { readonly filters: number; readonly terms: number } {
    return { filters: this.#table.filters.size, terms: this.#table.terms };
  }

  /** All filters, with their clients if known. */
  *installed(): Generator<KeptFilter> {
    const { filters, owners } = this.#table;
    for (const filter of filters.values()) yield { filter, client: owners.get(filter.id) };
  }

  /** Finds a filter that has not expired. */
  find(id: string, at = this.#options.clock.now()): Filter | undefined {
    const filter = this.#table.filters.get(id);
    return filter !== undefined && (filter.deadline > at || this.#options.isPolled(id)) ? filter : undefined;
  }

  admitted({ entries, position }: Admitted): void {
    if (this.#pending === 0) return this.#recent.skip(position);
    for (const entry of entries) {
      const hash = this.#options.hashOf(entry.tx);
      if (hash !== undefined) this.#recent.add(entry.position, hash);
    }
  }

  async create({ id, at, criteria, client, reply }: Create): Promise<void> {
    const { limits, rows, head } = this.#options;
    const decision = decide(this.#table, { type: 'create', id, criteria, client, head: head() }, limits);
    if (!decision.ok || decision.event.type !== 'FilterCreated') {
      invariant(!decision.ok && decision.error !== undefined, 'a creation is recorded or refused');
      return reply({ ok: false, error: decision.error });
    }
    evolve(this.#table, decision.event, at, client);
    const filter = this.#table.filters.get(id);
    invariant(filter !== undefined, 'a created filter is in the table');
    this.#count(filter, 1);
    try {
      await rows.create(decision.event, filter, client);
    } catch (error) {
      this.#evolveRemoval(id, 'uninstalled');
      throw error;
    }
    reply({ ok: true, value: id });
  }

  /** Replies synchronously, unless the log must be read. */
  async poll({ id, at, reply }: Poll): Promise<void> {
    const filter = this.#table.filters.get(id);
    if (filter === undefined || filter.deadline <= at) return reply({ ok: true, value: undefined });
    const { head, executedAt } = this.#options;
    const now = head();
    const found = this.#moved({ ...onBranch(filter, now.height, executedAt), deadline: deadlineAfter(at) });
    if (found.criteria.kind !== 'pending') return reply({ ok: true, value: this.#due(filter, found, now) });
    const { limits, admissions } = this.#options;
    const recent = this.#recent.after(found.position, limits.filterPollPending);
    const { hashes, through } =
      recent ?? (await admissions(found.position, this.#recent.newest, limits.filterPollPending));
    const { fullTransactions } = found.criteria;
    const changes = { kind: 'pending', hashes, ...(fullTransactions && { fullTransactions }) } as const;
    reply({
      ok: true,
      value: { changes, through: hashes.length === 0 ? undefined : { height: found.height, position: through } },
    });
  }

  async polled({ id, at, through, reply }: Polled): Promise<void> {
    const filter = this.#table.filters.get(id);
    if (filter === undefined) return reply({ ok: true, value: false });
    const found = this.#moved({ ...filter, ...through, deadline: deadlineAfter(at) });
    // The cursor is stored before the answer is sent, so a killed node never repeats changes.
    if (through !== undefined) await this.#options.rows.write(found);
    reply({ ok: true, value: true });
  }

  touch({ id, at }: Touch): void {
    const filter = this.#table.filters.get(id);
    if (filter !== undefined) this.#moved({ ...filter, deadline: deadlineAfter(at) });
  }

  async uninstall({ id, at, reply }: Uninstall): Promise<void> {
    if (this.find(id, at) === undefined) return reply({ ok: true, value: false });
    await this.#remove([id], 'uninstalled');
    reply({ ok: true, value: true });
  }

  /** Removes expired filters. */
  async expire(): Promise<void> {
    const now = this.#options.clock.now();
    const ids = [...this.#table.filters.keys()].filter((id) => this.find(id, now) === undefined);
    const removals: Promise<void>[] = [];
    for (let start = 0; start < ids.length; start += REMOVALS_PER_BATCH)
      removals.push(this.#remove(ids.slice(start, start + REMOVALS_PER_BATCH), 'expired'));
    await Promise.all(removals);
  }

  /**
   * Milliseconds until the nearest deadline; undefined when there is none. Filters being polled are ignored: their
   * deadline moves when the poll ends.
   */
  get nextDeadlineMs(): number | undefined {
    const now = this.#options.clock.now();
    let nearest: bigint | undefined;
    for (const { id, deadline } of this.#table.filters.values()) {
      if (nearest !== undefined && deadline >= nearest) continue;
      if (deadline > now || !this.#options.isPolled(id)) nearest = deadline;
    }
    return nearest === undefined ? undefined : idleTimeLeft({ deadline: toTimeNs(nearest + NS_PER_MS - 1n) }, now);
  }

  /** Changes for a poll. `filter`: as the last poll left it; `found`: its cursor on the current branch. */
  #due(filter: Filter, found: Filter, head: FilterHead): PollResult {
    const due = this.#blocksDue(found, head);
    const { changes, through } = due;
    if (changes.kind !== 'logs' || !this.#options.hasAbandonedSince(filter.position)) return due;
    const { position, height } = filter;
    return {
      changes: { ...changes, answered: { position, height } },
      // The next poll must not report them again.
      through: through ?? { height: found.height, position: head.position },
    };
  }

  #blocksDue(filter: Filter, head: FilterHead): PollResult {
    const { filterPollBlocks, filterPollLogBlocks } = this.#options.limits;
    const { criteria } = filter;
    const range = blocksDue(filter, head, criteria.kind === 'logs' ? filterPollLogBlocks : filterPollBlocks);
    if (range === undefined) return { changes: nothingNew(filter), through: undefined };
    const through = { height: range.to, position: head.position };
    const changes: FilterChanges =
      criteria.kind === 'logs'
        ? { kind: 'logs', criteria: criteria.criteria, ...range }
        : {
            kind: 'blocks',
            heights: Array.from({ length: Number(range.to - range.from) + 1 }, (_, index) =>
              toHeight(range.from + BigInt(index)),
            ),
          };
    return { changes, through };
  }

  #moved(filter: Filter): Filter {
    put(this.#table, filter);
    this.#options.rows.mark(filter);
    return filter;
  }

  /** Removes filters from memory at once; resolves when log and rows are updated. */
  #remove(ids: readonly string[], reason: FilterRemoved['data']['reason']): Promise<void> {
    return this.#options.rows.remove(ids.flatMap((id) => this.#evolveRemoval(id, reason)));
  }

  /** Removes a filter from memory and returns the event; nothing for an unknown filter. */
  #evolveRemoval(id: string, reason: FilterRemoved['data']['reason']): readonly FilterRemoved[] {
    const filter = this.#table.filters.get(id);
    const decision = decide(this.#table, { type: 'remove', id, reason }, this.#options.limits);
    if (filter === undefined || !decision.ok || decision.event.type !== 'FilterRemoved') return [];
    evolve(this.#table, decision.event, this.#options.clock.now());
    this.#count(filter, -1);
    return [decision.event];
  }

  #count({ criteria }: Filter, change: 1 | -1): void {
    if (criteria.kind === 'pending') this.#pending += change;
  }
}
