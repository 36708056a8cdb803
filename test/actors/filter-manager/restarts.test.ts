import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/store/filters/filters.js';
import { propertyRuns } from '../../support/property-runs.js';
import { FilterNode } from './harness.js';

type Deed = 'nothing' | 'remake' | 'fail' | 'failRemade' | 'mine' | 'admit';
const deed = fc.constantFrom<Deed>('nothing', 'remake', 'fail', 'failRemade', 'mine', 'admit');
const filter = fc.nat(3);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('admit' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('goBack' as const), blocks: fc.bigInt(1n, 3n) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('poll' as const), filter, before: deed, within: deed }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failedWrite' as const), filter }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), filter, before: deed, behind: deed }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
);

/** A block filter or a filter of pending transactions, with the items that it must still return. */
interface Watched {
  id: string;
  readonly kind: 'block' | 'pending';
  due: string[];
}

async function play(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Promise<void> {
  const node = new FilterNode({ filterPollBlocks: 3, filterPollPending: 3, recentAdmissions: 4 });
  await node.start();
  let texts = 0;
  /** Settles when the manager that was last restarted takes commands. */
  let made = Promise.resolve();
  const watched: Watched[] = [];
  const happened = (kind: Watched['kind'], item: string): void => {
    for (const one of watched) if (one.kind === kind) one.due.push(item);
  };
  const perform = async (what: Deed): Promise<void> => {
    if (what === 'mine') {
      await node.mine([]);
      happened('block', `block ${node.height()}`);
    }
    if (what === 'admit') {
      await node.admit(`tx ${(texts += 1)}`);
      happened('pending', `tx ${texts}`);
    }
    if (what === 'fail') node.fail();
    // Commands arrive during the restart.
    if (what === 'remake') made = node.remake();
    if (what === 'failRemade') {
      made = node.remake();
      node.fail();
    }
  };
  const create = async (kind: Watched['kind'], behind: Deed): Promise<Watched> => {
    const creating = node.manager.create({ kind });
    await perform(behind);
    const created = await creating;
    if (!created.ok) throw new Error(created.error.code);
    return { id: created.value, kind, due: [] };
  };
  /** Polls once: all returned items were due, and are no longer due afterwards. */
  const poll = async (one: Watched, within: Deed): Promise<void> => {
    const covered = [...one.due];
    const answer = await node.manager.poll(one.id, async (changes) => {
      await perform(within);
      return { ok: true, value: node.answer(changes, 100) };
    });
    expect(answer.ok && answer.value, 'the next of what is due').toEqual(covered.slice(0, 3));
    one.due.splice(0, Math.min(3, covered.length));
  };

  for (const kind of ['block', 'pending', 'block', 'pending'] as const) watched.push(await create(kind, 'nothing'));
  for (const action of steps) {
    if (action.do === 'mine' || action.do === 'admit') await perform(action.do);
    if (action.do === 'goBack') {
      const height = node.height() > action.blocks ? node.height() - action.blocks : 0n;
      await node.goBack(height);
      // Items of abandoned blocks that were not returned are discarded.
      for (const one of watched)
        if (one.kind === 'block') one.due = one.due.filter((text) => BigInt(text.split(' ')[1] ?? 0) <= height);
    }
    if (action.do === 'kill') {
      await node.time.settle();
      await node.restart('killed');
    }
    if (!('filter' in action)) continue;
    const one = watched[action.filter];
    if (one === undefined) continue;
    if (action.do === 'poll') {
      await perform(action.before);
      await poll(one, action.within);
    }
    if (action.do === 'failedWrite') {
      // Without this wait the failing write may be one of the restart.
      await made;
      const due = one.due.slice(0, 3);
      node.failingWrites = 1;
      const answer = await node.poll(one.id);
      if (due.length === 0) expect(answer).toEqual({ ok: true, value: [] });
      else expect(answer, 'a gap is no answer').toEqual({ ok: false, error: { code: 'storage-failed' } });
      node.failingWrites = 0;
      await poll(one, 'nothing');
    }
    if (action.do === 'replace') {
      await perform(action.before);
      watched[action.filter] = { id: '', kind: one.kind, due: [] };
      const removing = node.manager.uninstall(one.id);
      await perform(action.behind);
      expect(await removing).toEqual({ ok: true, value: true });
      watched[action.filter] = await create(one.kind, 'nothing');
    }
  }
  for (const one of watched) while (one.due.length > 0) await poll(one, 'nothing');
  await node.manager.stop();
  const rows = await readFilters(node.store);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(watched.map(({ id }) => id).toSorted());
}

describe('a filter manager that restarts while clients poll', () => {
  it('loses no filter and no item, and returns nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => play(steps)),
      { numRuns: propertyRuns(200) },
    );
  });

  it('counts filters of a client that were created before the restart', async () => {
    const node = new FilterNode({ filtersPerClient: 1 });
    await node.start();
    await node.manager.create({ kind: 'block' }, 'a');
    await node.remake();
    expect(await node.manager.create({ kind: 'block' }, 'a')).toMatchObject({ error: { limit: 'filtersPerClient' } });
  });

  it('keeps a filter that its client polled in time, however long the poll waited', async () => {
    const node = new FilterNode();
    await node.start();
    const created = await node.manager.create({ kind: 'block' });
    const id = created.ok ? created.value : '';
    await node.time.advance(299_999);
    const made = node.remake();
    const polled = node.poll(id);
    expect(node.manager.criteria(id)).toEqual({ kind: 'block' });
    await Promise.all([made, node.time.advance(299_999)]);
    expect(await polled).toEqual({ ok: true, value: [] });
    expect(await node.poll(id)).toEqual({ ok: true, value: [] });
  });

  it('finishes the writes of the previous incarnation: creations, removals and later deadlines', async () => {
    const node = new FilterNode();
    await node.start();
    const first = await node.manager.create({ kind: 'block' });
    const second = await node.manager.create({ kind: 'block' });
    const [kept, removed] = [first, second].map((created) => (created.ok ? created.value : ''));
    if (kept === undefined || removed === undefined) throw new Error('no filters');
    await node.time.advance(200_000);
    node.slowAppends = true;
    expect(node.manager.criteria(kept)).toEqual({ kind: 'block' });
    const [creating, removing] = [node.manager.create({ kind: 'pending' }), node.manager.uninstall(removed)];
    await node.remake();
    const created = await creating;
    expect(await removing).toEqual({ ok: true, value: true });
    expect(await node.manager.uninstall(removed)).toEqual({ ok: true, value: false });
    expect(await node.poll(created.ok ? created.value : '')).toEqual({ ok: true, value: [] });
    await node.time.advance(299_999);
    expect(await node.poll(kept)).toEqual({ ok: true, value: [] });
  });

  it('stops with no poll in hand: a poll ends in the incarnation that began it, and later commands wait', async () => {
    const node = new FilterNode();
    await node.start();
    const created = await node.manager.create({ kind: 'block' });
    const id = created.ok ? created.value : '';
    await node.mine([]);
    const happened: string[] = [];
    let finish: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      void node.manager
        .poll<string>(id, () => {
          resolve();
          return new Promise((answer) => (finish = () => answer({ ok: true, value: { value: 'read' } })));
        })
        .then((answer) => happened.push(`polled ${JSON.stringify(answer)}`));
    });
    await begun;
    const made = node.remake().then(() => happened.push('made again'));
    const later = node.manager.create({ kind: 'block' }).then(() => happened.push('created'));
    const second = node.poll(id).then((answer) => happened.push(`polled again ${JSON.stringify(answer)}`));
    await node.time.settle();
    expect(happened).toEqual([]);
    finish();
    await Promise.all([made, later, second]);
    expect(happened[0]).toBe('polled {"ok":true,"value":"read"}');
    expect(happened.toSorted()).toEqual([
      'created',
      'made again',
      'polled again {"ok":true,"value":[]}',
      'polled {"ok":true,"value":"read"}',
    ]);
  });

  it.each(['refused', 'thrown'] as const)('stops when the read of the poll in hand was %s', async (how) => {
    const node = new FilterNode();
    await node.start();
    const created = await node.manager.create({ kind: 'block' });
    const id = created.ok ? created.value : '';
    let stopped = Promise.resolve();
    const polled = node.manager.poll(id, async () => {
      stopped = node.remake();
      await node.time.settle();
      if (how === 'thrown') throw new Error('a defect of the reader');
      return { ok: false, error: { code: 'busy', what: 'reader' } };
    });
    if (how === 'thrown') await expect(polled).rejects.toThrow('a defect');
    else expect(await polled).toMatchObject({ ok: false });
    await stopped;
    expect(await node.poll(id)).toEqual({ ok: true, value: [] });
  });

  it('refuses commands after the node has stopped', async () => {
    const node = new FilterNode();
    await node.start();
    await node.manager.stop();
    expect(await node.manager.create({ kind: 'block' })).toMatchObject({ ok: false, error: { code: 'halted' } });
  });
});
