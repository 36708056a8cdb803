/**
 * The filter manager as a target of the model. Time is virtual, and the node can be stopped, killed and kept from
 * reading.
 */
import fc from 'fast-check';
import { FILTER_IDLE_MS } from '../../../src/core/filters/index.js';
import type { Limits } from '../../../src/core/limits/limits.js';
import { readFilters } from '../../../src/store/filters/filters.js';
import { BrokenPromise, type FilterFace, type Target, type Trial } from '../../../src/testing/index.js';
import { type Fact, FilterNode, KINDS, type ModelLog } from './harness.js';

type LogSpec = Omit<ModelLog, 'text'>;
export type FilterAction =
  | { readonly do: 'mine'; readonly logs: readonly LogSpec[] }
  | { readonly do: 'admit' }
  | { readonly do: 'restart'; readonly how: 'clean' | 'killed' | 'remade' | 'failed' };

const log = fc.record({ address: fc.integer({ min: 1, max: 3 }), topic: fc.integer({ min: 1, max: 3 }) });
/** Number of logs in one part of a bounded answer. */
const PART = 3;

export function filterTarget(limits: Partial<Limits>): Target<Fact, FilterAction> {
  return {
    source: `filterTarget(${JSON.stringify(limits)})`,
    interests: KINDS,
    actions: fc.oneof<fc.WeightedArbitrary<FilterAction>[]>(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('mine'), logs: fc.array(log, { maxLength: 4 }) }) },
      { weight: 4, arbitrary: fc.constant({ do: 'admit' }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('restart'),
          how: fc.constantFrom('clean', 'killed', 'remade', 'failed'),
        }),
      },
    ),
    abilities: { filters: { time: [1, 60_000, FILTER_IDLE_MS - 1, FILTER_IDLE_MS], busy: true } },
    begin: () => begin(limits),
  };
}

async function begin(limits: Partial<Limits>): Promise<Trial<Fact, FilterAction>> {
  const node = new FilterNode(limits);
  await node.start();
  /** Ids with their expiry times; undefined once they were uninstalled. */
  const deadlines = new Map<string, number | undefined>();
  let counter = 0;
  const used = (id: string): void => {
    const deadline = deadlines.get(id);
    if (deadline !== undefined && node.now() < deadline) deadlines.set(id, node.now() + FILTER_IDLE_MS);
  };
  const face: FilterFace = {
    idleMs: FILTER_IDLE_MS,
    now: () => node.now(),
    pass: (milliseconds) => node.time.advance(milliseconds),
    async install(name) {
      const kind = KINDS.find((one) => one.name === name);
      if (kind === undefined) throw new Error(name);
      const created = await node.manager.create(kind.criteria);
      if (!created.ok || !/^[0-9a-f]{32}$/u.test(created.value)) throw new Error(JSON.stringify(created));
      deadlines.set(created.value, node.now() + FILTER_IDLE_MS);
      return created.value;
    },
    async poll(id) {
      used(id);
      const all: string[] = [];
      // With these bounds a part in the middle may be empty: polls as often as there are facts.
      for (let asked = 0; asked <= node.history.length; asked += 1) {
        const answer = await node.poll(id, PART);
        if (!answer.ok) throw new Error(answer.error.code);
        if (answer.value === undefined) return undefined;
        all.push(...answer.value);
      }
      return all;
    },
    async pollBusy(id) {
      used(id);
      const answer = await node.manager.poll(id, () =>
        Promise.resolve({ ok: false, error: { code: 'busy', what: 'reader' } }),
      );
      return !answer.ok;
    },
    inspect(id) {
      used(id);
      return Promise.resolve(node.manager.criteria(id) !== undefined);
    },
    async uninstall(id) {
      deadlines.set(id, undefined);
      const gone = await node.manager.uninstall(id);
      if (!gone.ok) throw new Error(gone.error.code);
      return gone.value;
    },
  };
  return {
    patienceMs: 0,
    filters: face,
    history: () => node.history,
    settle: () => undefined,
    async perform(action) {
      switch (action.do) {
        case 'mine':
          return await node.mine(action.logs.map((one) => ({ ...one, text: `log ${(counter += 1)}` })));
        case 'admit':
          return await node.admit(`tx ${(counter += 1)}`);
        case 'restart':
          if (action.how === 'failed') return node.fail();
          if (action.how === 'remade') return void node.remake();
          // A deadline is in its row a second after it moved, and a few turns for the write; a killed node keeps the
          // rows.
          await node.time.advance(1_000);
          for (let turn = 0; turn < 4; turn += 1) await node.time.settle();
          await node.restart(action.how);
          return await node.time.advance(0);
      }
    },
    async end() {
      await node.manager.stop();
      const alive = [...deadlines].flatMap(([id, at]) => (at !== undefined && node.now() < at ? [id] : [])).toSorted();
      const rows = (await readFilters(node.store)).map(({ id }) => id).toSorted();
      const folded = (await node.foldLog()).map(({ id }) => id).toSorted();
      if (String(rows) !== String(alive) || String(folded) !== String(alive))
        throw new BrokenPromise('nothing left', JSON.stringify({ alive, rows, folded }));
    },
  };
}
