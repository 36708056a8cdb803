import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import type { Limits } from '../../../src/core/limits.js';
import { FilterNode, KINDS } from './harness.js';
import { ModelFilter, type ModelLog } from './model.js';
import { readFilters } from '../../../src/store/filters/filters.js';

const log = fc.record({ address: fc.integer({ min: 1, max: 3 }), topic: fc.integer({ min: 1, max: 3 }) });
const filter = fc.nat(4);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('mine' as const), logs: fc.array(log, { maxLength: 4 }) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'admit' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), kind: fc.nat(KINDS.length - 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('poll' as const, 'pollTwice' as const, 'failedPoll' as const, 'pollWhileMining' as const),
      filter,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('uninstall' as const, 'criteria' as const), filter }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      milliseconds: fc.constantFrom(1, 60_000, 299_999, 300_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      how: fc.constantFrom('clean' as const, 'killed' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function play(steps: readonly Step[], limits: Partial<Limits>): Promise<void> {
  const node = new FilterNode(limits);
  await node.start();
  const filters: { readonly id: string; readonly model: ModelFilter }[] = [];
  const gone = new Set<string>();
  let counter = 0;
  const textual = (logs: readonly Omit<ModelLog, 'text'>[]): readonly ModelLog[] =>
    logs.map((one) => ({ ...one, text: `log ${(counter += 1)}` }));
  /** Polls until nothing is left: the parts of a bounded answer follow each other. */
  const drain = async (id: string): Promise<readonly string[] | undefined> => {
    const all: string[] = [];
    // The log and block bounds may give an empty part in the middle: ask as often as there are facts.
    for (let asked = 0; asked <= node.facts.length; asked += 1) {
      const answer = await node.poll(id, 3);
      if (!answer.ok) throw new Error(answer.error.code);
      if (answer.value === undefined) return undefined;
      all.push(...answer.value);
    }
    return all;
  };
  const check = async (id: string, model: ModelFilter, got: readonly string[] | undefined): Promise<void> => {
    if (gone.has(id) || !model.isAlive(node.now())) {
      gone.add(id);
      expect(got, 'Q2, Q3: an unknown or expired filter is not found').toBeUndefined();
    } else {
      expect(got, 'Q1: exactly what happened since the last poll, in order').toEqual(
        model.poll(node.now(), node.facts),
      );
    }
  };
  for (const action of steps) {
    if (action.do === 'mine') await node.mine(textual(action.logs));
    if (action.do === 'admit') await node.admit(`tx ${(counter += 1)}`);
    if (action.do === 'advance') await node.time.advance(action.milliseconds);
    if (action.do === 'restart') {
      // A deadline is in its row a second after it moved; a killed node keeps what is in the rows.
      await node.time.advance(1_000);
      await node.restart(action.how);
      await node.time.advance(0);
    }
    if (action.do === 'create') {
      const kind = KINDS[action.kind];
      if (kind === undefined) continue;
      const creating = node.manager.create(kind.criteria);
      const model = new ModelFilter(kind, node.now(), node.facts);
      const created = await creating;
      expect(created).toMatchObject({ ok: true, value: expect.stringMatching(/^[0-9a-f]{32}$/u) });
      if (created.ok) filters.push({ id: created.value, model });
    }
    if (!('filter' in action)) continue;
    const chosen = filters[action.filter % Math.max(1, filters.length)];
    if (chosen === undefined) continue;
    const { id, model } = chosen;
    const isThere = !gone.has(id) && model.isAlive(node.now());
    if (action.do === 'poll') await check(id, model, await drain(id));
    if (action.do === 'pollTwice') {
      const [first, second] = await Promise.all([drain(id), drain(id)]);
      await check(
        id,
        model,
        first === undefined || second === undefined ? undefined : [...first, ...second].sort(byNumber),
      );
    }
    if (action.do === 'pollWhileMining') {
      const [early] = await Promise.all([
        node.poll(id),
        node.mine(textual([{ address: 1, topic: 1 }])),
        node.admit(`tx ${(counter += 1)}`),
      ]);
      const late = await drain(id);
      await check(
        id,
        model,
        !early.ok || early.value === undefined || late === undefined ? undefined : [...early.value, ...late],
      );
    }
    if (action.do === 'failedPoll') {
      const answer = await node.manager.poll(id, () =>
        Promise.resolve({ ok: false, error: { code: 'busy', what: 'reader' } }),
      );
      expect(answer.ok, 'a failed read moves no cursor').toBe(!isThere);
      if (isThere) model.touch(node.now());
    }
    if (action.do === 'criteria') {
      expect(node.manager.criteria(id)).toEqual(isThere ? model.kind.criteria : undefined);
      if (isThere) model.touch(node.now());
    }
    if (action.do === 'uninstall') {
      expect(await node.manager.uninstall(id), 'Q5: true once').toEqual({ ok: true, value: isThere });
      gone.add(id);
    }
  }
  await node.manager.stop();
  const rows = await readFilters(node.store);
  const alive = filters
    .filter(({ id, model }) => !gone.has(id) && model.isAlive(node.now()))
    .map(({ id }) => id)
    .sort();
  expect(
    rows.map(({ id }) => id),
    'Q5: no row is left behind, none is lost',
  ).toEqual(alive);
  expect((await node.foldLog()).map(({ id }) => id).sort(), 'the events tell the same filters').toEqual(alive);
}

/** Numbered texts in the order of their numbers: two polls at once may be answered in either order. */
function byNumber(left: string, right: string): number {
  return Number(left.split(' ')[1]) - Number(right.split(' ')[1]);
}

describe('promises of polling filters (reliability-security.md Q1-Q6)', () => {
  it('hold over polls, restarts, kills, failed reads and time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => play(steps, {})),
      { numRuns: propertyRuns(200) },
    );
  });
  it('hold when every answer is cut into small parts and the ring of admissions is short', async () => {
    const limits = { filterPollBlocks: 2, filterPollLogBlocks: 2, filterPollPending: 2, recentAdmissions: 3 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => play(steps, limits)),
      { numRuns: propertyRuns(200) },
    );
  });
});
