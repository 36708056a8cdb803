/** Bugs of polling filters, planted between the filters and the model. */
import type { FilterFace, Trial } from '../../src/testing/index.js';

export interface PlantedInFilters {
  readonly name: string;
  /** Members of a face that are different with the bug; `restarts` counts restarts of the node. */
  bug(face: FilterFace, restarts: () => number): Partial<FilterFace>;
}

/** A trial with a bug in its filters. */
export function plantInFilters<Fact, Own extends { readonly do: string }>(
  trial: Trial<Fact, Own>,
  planted: PlantedInFilters,
): Trial<Fact, Own> {
  const { filters } = trial;
  if (filters === undefined) return trial;
  let restarts = 0;
  return {
    ...trial,
    async perform(action) {
      await trial.perform(action);
      if (action.do === 'restart') restarts += 1;
    },
    filters: { ...filters, ...planted.bug(filters, () => restarts) },
  };
}

type Items = readonly string[];
/** A bug that changes the answer of a poll; `before` is the answer of the previous poll. */
const inPolls = (name: string, change: (items: Items, before: Items) => Items | undefined): PlantedInFilters => ({
  name,
  bug(face) {
    const last = new Map<string, Items>();
    return {
      async poll(id) {
        const items = await face.poll(id);
        if (items === undefined) return undefined;
        const before = last.get(id) ?? [];
        last.set(id, items);
        return change(items, before);
      },
    };
  },
});

export const PLANTED_IN_FILTERS: readonly PlantedInFilters[] = [
  inPolls('a poll leaves out its first change', (items) => items.slice(1)),
  inPolls('a poll leaves out its last change', (items) => items.slice(0, -1)),
  inPolls('a poll repeats the last change of the poll before', (items, before) => [...before.slice(-1), ...items]),
  inPolls('a poll answers changes newest first', (items) => items.toReversed()),
  inPolls('a poll answers what the poll before should have', (_, before) => before),
  inPolls('more than two changes are answered as none', (items) => (items.length > 2 ? [] : items)),
  inPolls('a poll without changes ends the filter', (items) => (items.length === 0 ? undefined : items)),
  {
    name: 'two polls at once both answer the same changes',
    bug(face) {
      const running = new Map<string, Promise<Items | undefined>>();
      return {
        async poll(id) {
          const same = running.get(id);
          if (same !== undefined) return await same;
          const poll = face.poll(id);
          running.set(id, poll);
          try {
            return await poll;
          } finally {
            running.delete(id);
          }
        },
      };
    },
  },
  {
    name: 'a poll that failed moves the cursor',
    bug: (face) => ({
      async pollBusy(id) {
        await face.poll(id);
        return (await face.pollBusy?.(id)) ?? true;
      },
    }),
  },
  {
    name: 'a request that only looks moves the cursor',
    bug: (face) => ({
      async inspect(id) {
        await face.poll(id);
        return await face.inspect(id);
      },
    }),
  },
  {
    name: 'a filter expires a minute early',
    bug(face) {
      const used = new Map<string, number>();
      return {
        async poll(id) {
          const last = used.get(id) ?? face.now();
          used.set(id, face.now());
          return face.now() - last >= face.idleMs - 60_000 ? undefined : await face.poll(id);
        },
        async install(interest) {
          const id = await face.install(interest);
          used.set(id, face.now());
          return id;
        },
      };
    },
  },
  {
    name: 'an expired filter still answers',
    bug: (face) => ({ poll: async (id) => (await face.poll(id)) ?? [] }),
  },
  {
    name: 'uninstalling answers true again',
    bug: (face) => ({
      async uninstall(id) {
        await face.uninstall(id);
        return true;
      },
    }),
  },
  {
    name: 'an uninstalled filter goes on',
    bug: (face) => ({ uninstall: (id) => face.inspect(id) }),
  },
  {
    name: 'a restart loses the filters',
    bug(face, restarts) {
      const made = new Map<string, number>();
      return {
        async install(interest) {
          const id = await face.install(interest);
          made.set(id, restarts());
          return id;
        },
        poll: async (id) => (made.get(id) === restarts() ? await face.poll(id) : undefined),
      };
    },
  },
  {
    name: 'a restart forgets how far a filter was polled',
    bug(face, restarts) {
      const polled = new Map<string, { readonly life: number; readonly items: Items }>();
      return {
        async poll(id) {
          const items = await face.poll(id);
          const before = polled.get(id);
          if (items === undefined) return undefined;
          polled.set(id, {
            life: restarts(),
            items: before?.life === restarts() ? [...before.items, ...items] : items,
          });
          return before === undefined || before.life === restarts() ? items : [...before.items, ...items];
        },
      };
    },
  },
  {
    name: 'a filter begins with its first poll',
    bug(face) {
      const begun = new Set<string>();
      return {
        async poll(id) {
          const items = await face.poll(id);
          const isFirst = !begun.has(id);
          begun.add(id);
          return isFirst && items !== undefined ? [] : items;
        },
      };
    },
  },
  {
    name: 'criteria are ignored: a filter answers every log',
    bug: (face) => ({ install: (interest) => face.install(interest === 'a topic' ? 'all logs' : interest) }),
  },
  {
    name: 'criteria are too narrow',
    bug: (face) => ({ install: (interest) => face.install(interest === 'all logs' ? 'a topic' : interest) }),
  },
];
