import { createActor, fromTransition } from 'xstate';
import type { EthereumFilters, FilterChanges, Polled } from '../../core/ethereum/api.js';
import { hexData } from '../../core/bytes/hex.js';
import { invariant, type DomainError } from '../../core/errors.js';
import type { FilterEvent } from '../../core/events.js';
import {
  blocksDue,
  createFilterTable,
  deadlineAfter,
  decide,
  evolve,
  FILTER_IDLE_MS,
  idleTimeLeft,
  nothingNew,
  polled,
  put,
  RecentAdmissions,
  rewound,
  type Admissions,
  type Filter,
  type FilterCommand,
  type FilterDecision,
  type FilterHead,
} from '../../core/filters/index.js';
import type { Limits } from '../../core/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Clock, Randomness, Timers } from '../../core/ports/time.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { createCursorWriter } from './cursor-writer.js';
import { createTurns } from './turns.js';

export interface FilterManagerOptions {
  readonly limits: Pick<
    Limits,
    | 'filters'
    | 'filtersPerClient'
    | 'filterTerms'
    | 'filterWaitingPolls'
    | 'filterPollBlocks'
    | 'filterPollLogBlocks'
    | 'filterPollPending'
    | 'recentAdmissions'
  >;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly randomness: Randomness;
  /** Height of the newest block that shows. */
  readonly height: () => Height;
  /** Position of the log's head at the start. */
  readonly position: Position;
  /** Appends the events with the rows in one batch (stream `filters`); resolves when it may be shown. */
  readonly append: (
    events: readonly FilterEvent[],
    rows: { readonly put: readonly Filter[]; readonly forget: readonly string[] },
  ) => Promise<void>;
  /** Writes rows in place, unsynced. */
  readonly writeRows: (filters: readonly Filter[]) => Promise<void>;
  /** The first `maximum` Ethereum admissions of the log after `from`, up to `through`. */
  readonly admissions: (from: Position, through: Position, maximum: number) => Promise<Admissions>;
}

export interface FilterManager extends EthereumFilters {
  /** Takes back the rows that the store held at the start; whose time ran out meanwhile is removed. Call once, first. */
  restore(filters: readonly Filter[]): void;
  /** An admission is visible; call in log order (`EthereumApi.onPending`). */
  admitted(hash: Uint8Array, position: Position): void;
  /** The chain went back to `height` (dev mode). */
  reverted(height: Height): void;
  counters(): { readonly filters: number; readonly terms: number };
  /** Writes the rows that are ahead of the store; nothing is answered any more. */
  stop(): Promise<void>;
}

type Message =
  | { readonly type: 'ask'; readonly command: FilterCommand; readonly reply: (decision: FilterDecision) => void }
  | { readonly type: 'moved'; readonly filter: Filter }
  | { readonly type: 'reverted'; readonly height: Height };

const ID_BYTES = 16;
const REMOVALS_PER_BATCH = 1_000;
const NOT_FOUND = { ok: true, value: undefined } as const;
const STORAGE_FAILED = { ok: false, error: { code: 'storage-failed' } } as const;

/**
 * The owner of all polling filters. A filter is a row (criteria, cursor, deadline), so that it costs nothing while nobody
 * polls and survives a restart; what it collects is read from the chain when it is asked for. Creation and removal pass
 * through one mailbox and are events; cursors and deadlines are rows, in memory first.
 */
export function createFilterManager(options: FilterManagerOptions): FilterManager {
  const { limits, clock, timers } = options;
  const table = createFilterTable();
  const recent = new RecentAdmissions(limits.recentAdmissions, options.position);
  const cancels = new Map<string, () => void>();
  const turns = createTurns(limits.filterWaitingPolls);
  const writer = createCursorWriter({ timers, rowOf: (id) => table.filters.get(id), write: options.writeRows });
  const expired = new Set<string>();
  let removing = false;
  let reverts = 0;
  let stopped = false;

  const actor = createActor(
    fromTransition((state: null, message: Message) => {
      if (message.type === 'moved' && table.filters.has(message.filter.id)) put(table, message.filter);
      if (message.type === 'reverted') {
        reverts += 1;
        for (const filter of table.filters.values()) {
          const back = rewound(filter, message.height);
          if (back === filter) continue;
          put(table, back);
          writer.mark(back.id);
        }
      }
      if (message.type === 'ask') {
        const { command } = message;
        const decision = decide(table, command, limits);
        if (decision.ok)
          evolve(table, decision.event, clock.now(), command.type === 'create' ? command.client : undefined);
        message.reply(decision);
      }
      return state;
    }, null),
  );
  actor.start();
  const ask = (command: FilterCommand): FilterDecision => {
    const replies: FilterDecision[] = [];
    if (!stopped) actor.send({ type: 'ask', command, reply: (decision) => replies.push(decision) });
    return replies[0] ?? { ok: false, error: { code: 'busy', what: 'filter manager' } };
  };

  const arm = (id: string, milliseconds: number): void => {
    cancels.get(id)?.();
    cancels.set(
      id,
      timers.after(milliseconds, () => expire(id)),
    );
  };
  const disarm = (id: string): void => {
    cancels.get(id)?.();
    cancels.delete(id);
  };
  const head = (): FilterHead => ({ height: options.height(), position: recent.newest });

  /** Removes from memory at once, from the log and the rows when the write returns. */
  const remove = async (ids: readonly string[], reason: 'uninstalled' | 'expired'): Promise<boolean> => {
    const events: FilterEvent[] = [];
    for (const id of ids) {
      const decision = ask({ type: 'remove', id, reason });
      if (!decision.ok) continue;
      events.push(decision.event);
      disarm(id);
    }
    if (events.length === 0) return false;
    // A row that is on its way to the store must not arrive after its deletion.
    await writer.settled();
    await options.append(events, { put: [], forget: events.map(({ data }) => hexData(data.id).slice(2)) });
    return true;
  };
  const expire = (id: string): void => {
    cancels.delete(id);
    // A poll is a sign of life however long it takes; it arms the timer again.
    if (stopped || turns.isBusy(id)) return;
    expired.add(id);
    // When the log fails, the node stops; the rows are still there at the next start.
    if (!removing) removeExpired().catch(() => undefined);
  };
  /** What expires while a batch is being written goes together in the next one. */
  const removeExpired = async (): Promise<void> => {
    removing = true;
    try {
      while (expired.size > 0) {
        const ids = [...expired].slice(0, REMOVALS_PER_BATCH);
        for (const id of ids) expired.delete(id);
        await remove(ids, 'expired');
      }
    } finally {
      removing = false;
    }
  };
  /** The filter shows a sign of life. */
  const touch = (filter: Filter): void => {
    actor.send({ type: 'moved', filter: { ...filter, deadline: deadlineAfter(clock.now()) } });
    writer.mark(filter.id);
    arm(filter.id, FILTER_IDLE_MS);
  };
  const alive = (id: string): Filter | undefined => (stopped || expired.has(id) ? undefined : table.filters.get(id));

  /** What the next poll answers, and the cursor after it. */
  const due = async (
    filter: Filter,
  ): Promise<{ readonly changes: FilterChanges; readonly through: FilterHead } | undefined> => {
    const { criteria, height, position } = filter;
    if (criteria.kind === 'pending') {
      const found =
        recent.after(position, limits.filterPollPending) ??
        (await options.admissions(position, recent.newest, limits.filterPollPending));
      if (found.hashes.length === 0) return undefined;
      return { changes: { kind: 'pending', hashes: found.hashes }, through: { height, position: found.through } };
    }
    const range = blocksDue(
      filter,
      head(),
      criteria.kind === 'logs' ? limits.filterPollLogBlocks : limits.filterPollBlocks,
    );
    if (range === undefined) return undefined;
    const through = { height: range.to, position };
    if (criteria.kind === 'logs') return { changes: { kind: 'logs', criteria: criteria.criteria, ...range }, through };
    const heights = Array.from({ length: Number(range.to - range.from) + 1 }, (_, index) =>
      toHeight(range.from + BigInt(index)),
    );
    return { changes: { kind: 'blocks', heights }, through };
  };

  const pollOnce = async <Value>(
    id: string,
    read: (changes: FilterChanges) => Promise<Outcome<Polled<Value>>>,
  ): Promise<Outcome<Value | undefined>> => {
    const filter = alive(id);
    if (filter === undefined) return NOT_FOUND;
    touch(filter);
    const before = reverts;
    const next = await due(filter);
    const answer = await read(next?.changes ?? nothingNew(filter));
    const now = alive(id);
    if (now === undefined) return NOT_FOUND;
    if (!answer.ok) return answer;
    touch(now);
    // After a revert the blocks that were read may be made again: the cursor stays where the revert put it.
    if (next === undefined || reverts !== before) return { ok: true, value: answer.value.value };
    const height = answer.value.through ?? next.through.height;
    actor.send({ type: 'moved', filter: polled(now, { ...next.through, height }, clock.now()) });
    // The cursor is in the store before the answer leaves: a killed node repeats nothing.
    try {
      await writer.write(id);
    } catch {
      return STORAGE_FAILED;
    }
    return { ok: true, value: answer.value.value };
  };
  const poll: EthereumFilters['poll'] = async (id, read) => {
    const turn = await turns.take(id);
    if (turn === undefined) return failed({ code: 'busy', what: 'filter' });
    try {
      return await pollOnce(id, read);
    } finally {
      turn.done();
      // Its time ran out while this poll was under way: the poll was a sign of life.
      if (table.filters.has(id) && !cancels.has(id) && !stopped && !expired.has(id)) arm(id, FILTER_IDLE_MS);
    }
  };

  return {
    async create(criteria, client) {
      const id = hexData(options.randomness.bytes(ID_BYTES)).slice(2);
      const decision = ask({ type: 'create', id, criteria, client, head: head() });
      if (!decision.ok) return failed(decision.error ?? { code: 'busy', what: 'filter manager' });
      const filter = table.filters.get(id);
      invariant(filter !== undefined, 'a created filter is in the table');
      try {
        await options.append([decision.event], { put: [filter], forget: [] });
      } catch {
        ask({ type: 'remove', id, reason: 'uninstalled' });
        return STORAGE_FAILED;
      }
      if (!stopped) arm(id, FILTER_IDLE_MS);
      return { ok: true, value: id };
    },
    changes: (id) => poll(id, (changes) => Promise.resolve({ ok: true, value: { value: changes } })),
    poll,
    criteria(id) {
      const filter = alive(id);
      if (filter !== undefined) touch(filter);
      return filter?.criteria;
    },
    async uninstall(id) {
      if (alive(id) === undefined) return { ok: true, value: false };
      try {
        return { ok: true, value: await remove([id], 'uninstalled') };
      } catch {
        return STORAGE_FAILED;
      }
    },
    restore(filters) {
      const now = head();
      for (const filter of filters) {
        const position = filter.position > now.position ? now.position : filter.position;
        const found = { ...rewound(filter, now.height), position };
        put(table, found);
        arm(found.id, idleTimeLeft(found, clock.now()));
      }
    },
    admitted: (hash, position) => recent.add(position, hash),
    reverted: (height) => actor.send({ type: 'reverted', height }),
    counters: () => ({ filters: table.filters.size, terms: table.terms }),
    async stop() {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
      actor.stop();
      await writer.stop();
    },
  };
}

function failed(error: DomainError): { readonly ok: false; readonly error: DomainError } {
  return { ok: false, error };
}
