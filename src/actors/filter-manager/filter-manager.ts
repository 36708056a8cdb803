import type { EthereumFilters, FilterCriteria } from '../../core/ethereum/api.js';
import { hexData } from '../../core/bytes/hex.js';
import { NODE_STOPPING } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Randomness } from '../../core/ports/time.js';
import type { Admitted, ConsumerStream } from '../../streams/index.js';
import type { ChildSpec } from '../shell/child.js';
import { Inbox, type Reply } from '../shell/inbox.js';
import type { PollResult, FilterManagerCommand } from './commands.js';
import { FilterRows, type FilterRowsOptions, type KeptFilter } from './filter-rows.js';
import { InstalledFilters, type InstalledFiltersOptions } from './installed-filters.js';
import { filterManagerMachine } from './machine.js';
import { createPollQueues } from './poll-queues.js';

export interface FilterManagerPorts
  extends Omit<InstalledFiltersOptions, 'rows' | 'isPolled' | 'limits'>, FilterRowsOptions {
  readonly limits: InstalledFiltersOptions['limits'] & Pick<Limits, 'actorInbox' | 'filterWaitingPolls'>;
  readonly randomness: Randomness;
  readonly stream: ConsumerStream<Admitted>;
}

export interface FilterManager {
  readonly child: ChildSpec<'filterManager'>;
  /** The polling filters of the Ethereum API. */
  readonly filters: EthereumFilters;
  counters(): { readonly filters: number; readonly terms: number };
  /** The installed filters, with their clients if known. */
  installed(): Iterable<KeptFilter>;
  /** Called when the node stops: refuses further commands and writes pending rows. */
  close(): Promise<void>;
}

const ID_BYTES = 16;
const NOT_FOUND = { ok: true, value: undefined } as const;

/**
 * Creates the owner of all polling filters. A filter is a row (criteria, cursor, deadline), so it costs nothing between
 * polls and survives a restart; a poll reads the changes from the chain. Creation and removal are log events; cursors
 * and deadlines are rows, buffered in memory.
 */
export function createFilterManager(ports: FilterManagerPorts): FilterManager {
  const { limits, clock, randomness } = ports;
  const inbox = new Inbox<FilterManagerCommand>({ name: 'filter manager', maximum: limits.actorInbox });
  const rows = new FilterRows(ports);
  const turns = createPollQueues(limits.filterWaitingPolls);
  const held: InstalledFiltersOptions = { ...ports, rows, isPolled: (id) => turns.isBusy(id) };
  /** The filters of the current actor instance. */
  let filters = new InstalledFilters(held, []);
  const show = (complete: InstalledFilters): void => {
    filters = complete;
  };
  const touch = (id: string): void => inbox.tell({ type: 'touch', id, at: clock.now() });

  const poll: EthereumFilters['poll'] = async (id, read) => {
    const turn = await turns.take(id);
    if (turn === undefined) return { ok: false, error: { code: 'busy', what: 'filter' } };
    let isOver = false;
    try {
      const due = await inbox.ask((reply: Reply<PollResult | undefined>) => ({
        type: 'poll',
        id,
        at: clock.now(),
        reply,
      }));
      if (!due.ok) return due;
      if (due.value === undefined) return NOT_FOUND;
      const { changes, through } = due.value;
      const answer = await read(changes);
      if (!answer.ok) return answer;
      const cursor = through && { ...through, height: answer.value.through ?? through.height };
      const moved = await inbox.ask((reply: Reply<boolean>) => ({
        type: 'polled',
        isEnding: true,
        id,
        at: clock.now(),
        through: cursor,
        reply,
      }));
      if (!moved.ok) return moved;
      isOver = true;
      return moved.value ? { ok: true, value: answer.value.value } : NOT_FOUND;
    } finally {
      // Every poll extends the deadline, even one that fails or takes long.
      if (!isOver) touch(id);
      turn.done();
    }
  };

  return {
    child: {
      id: 'filterManager',
      logic: filterManagerMachine({ ...held, stream: ports.stream, polls: turns, show }),
      input: () => undefined,
      inbox,
    },
    filters: {
      create: (criteria, client) =>
        inbox.ask((reply: Reply<string>) => ({
          type: 'create',
          id: hexData(randomness.bytes(ID_BYTES)).slice(2),
          at: clock.now(),
          criteria,
          client,
          reply,
        })),
      poll,
      criteria(id): FilterCriteria | undefined {
        const found = filters.find(id);
        if (found !== undefined) touch(id);
        return found?.criteria;
      },
      uninstall: (id) => inbox.ask((reply: Reply<boolean>) => ({ type: 'uninstall', id, at: clock.now(), reply })),
    },
    counters: () => filters.counters,
    installed: () => filters.installed(),
    async close() {
      inbox.end(NODE_STOPPING);
      await rows.close();
    },
  };
}
