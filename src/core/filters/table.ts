/**
 * Table of filters. `decide` checks a command without changing anything; `evolve` applies its event. The table is
 * mutable and has one owner (the actor), so that creating a filter does not copy all rows.
 */
import type { FilterCriteria } from '../ethereum/api.js';
import { bytesOfDigits, hexData } from '../bytes/hex.js';
import { invariant, type DomainError } from '../errors.js';
import type { FilterCreated, FilterEvent, FilterRemoved } from '../log-events.js';
import type { Limits } from '../limits/limits.js';
import type { TimeNs } from '../primitives.js';
import { deadlineAfter, termsOf, type Filter, type FilterHead } from './filter.js';

export type FilterLimits = Pick<Limits, 'filters' | 'filtersPerClient' | 'filterTerms'>;

export type FilterCommand =
  | {
      readonly type: 'create';
      /** Filter id, 32 lower-case hex digits. */
      readonly id: string;
      readonly criteria: FilterCriteria;
      /** Key of the limit per client; undefined when clients cannot be distinguished. */
      readonly client: string | undefined;
      readonly head: FilterHead;
    }
  | { readonly type: 'remove'; readonly id: string; readonly reason: FilterRemoved['data']['reason'] };

export type FilterDecision =
  | { readonly ok: true; readonly event: FilterEvent }
  | { readonly ok: false; readonly error: DomainError }
  /** The filter to remove does not exist. */
  | { readonly ok: false; readonly error: undefined };

/** Table rows. Only `evolve` adds and removes filters; the owner moves cursors and deadlines. */
export interface FilterTable {
  readonly filters: Map<string, Filter>;
  /** Filter ids with their clients. Kept in memory only: a restart forgets them. */
  readonly owners: Map<string, string>;
  readonly ownedBy: Map<string, number>;
  terms: number;
}

/** Creates a table without filters. */
export function createFilterTable(): FilterTable {
  return { filters: new Map(), owners: new Map(), ownedBy: new Map(), terms: 0 };
}

/** Checks a command. Errors name the limit that was reached. */
export function decide(table: FilterTable, command: FilterCommand, limits: FilterLimits): FilterDecision {
  if (command.type === 'remove') {
    if (!table.filters.has(command.id)) return { ok: false, error: undefined };
    return {
      ok: true,
      event: { type: 'FilterRemoved', v: 1, data: { id: idBytes(command.id), reason: command.reason } },
    };
  }
  const { id, criteria, client, head } = command;
  invariant(!table.filters.has(id), 'ids of filters are drawn at random');
  if (table.filters.size >= limits.filters) return exceeded('filters', limits.filters);
  if (client !== undefined && (table.ownedBy.get(client) ?? 0) >= limits.filtersPerClient)
    return exceeded('filtersPerClient', limits.filtersPerClient);
  if (table.terms + termsOf(criteria) > limits.filterTerms) return exceeded('filterTerms', limits.filterTerms);
  return {
    ok: true,
    event: {
      type: 'FilterCreated',
      v: 1,
      data: { id: idBytes(id), criteria, height: head.height, position: head.position },
    },
  };
}

/** Applies an event recorded at `time`. `client`: creator of the filter, if known. */
export function evolve(table: FilterTable, event: FilterEvent, time: TimeNs, client?: string): void {
  const id = idText(event.data.id);
  if (event.type === 'FilterCreated') {
    put(table, filterOf(event, time));
    if (client !== undefined) own(table, id, client);
    return;
  }
  const filter = table.filters.get(id);
  if (filter === undefined) return;
  table.filters.delete(id);
  table.terms -= termsOf(filter.criteria);
  const owner = table.owners.get(id);
  if (owner === undefined) return;
  table.owners.delete(id);
  const left = (table.ownedBy.get(owner) ?? 1) - 1;
  if (left === 0) table.ownedBy.delete(owner);
  else table.ownedBy.set(owner, left);
}

/** Counts an existing filter toward a client's limit. */
export function own(table: FilterTable, id: string, client: string): void {
  table.owners.set(id, client);
  table.ownedBy.set(client, (table.ownedBy.get(client) ?? 0) + 1);
}

/** Restores a filter from its row, with the cursor and deadline of its last poll. */
export function put(table: FilterTable, filter: Filter): void {
  const before = table.filters.get(filter.id);
  table.filters.set(filter.id, filter);
  table.terms += termsOf(filter.criteria) - (before === undefined ? 0 : termsOf(before.criteria));
}

/** Filter right after its creation. */
export function filterOf({ data }: FilterCreated, time: TimeNs): Filter {
  return {
    id: idText(data.id),
    criteria: data.criteria,
    height: data.height,
    position: data.position,
    deadline: deadlineAfter(time),
  };
}

/** Formats a filter id as 32 lower-case hex digits without `0x`. */
export function idText(id: Uint8Array): string {
  return hexData(id).slice(2);
}

function idBytes(id: string): Uint8Array {
  const bytes = bytesOfDigits(id);
  invariant(bytes !== undefined, 'the id of a filter is hex');
  return bytes;
}

function exceeded(limit: keyof FilterLimits, maximum: number): FilterDecision {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum } };
}
