import { describe, expect, it } from 'vitest';
import { readFilters } from '../../../src/store/filters/filters.js';
import { addressOf, FilterNode } from './harness.js';

async function started(limits: ConstructorParameters<typeof FilterNode>[0] = {}): Promise<FilterNode> {
  const node = new FilterNode(limits);
  await node.start();
  return node;
}

async function idOf(creating: ReturnType<FilterNode['manager']['create']>): Promise<string> {
  const created = await creating;
  if (!created.ok) throw new Error(created.error.code);
  return created.value;
}

const refused = (limit: string, maximum: number) => ({ ok: false, error: { code: 'limit-exceeded', limit, maximum } });

describe('limits of polling filters', () => {
  it('cap the filters of the node, including creations in progress, and free a place on removal', async () => {
    const node = await started({ filters: 2 });
    const [first, , third] = await Promise.all([
      node.manager.create({ kind: 'block' }),
      node.manager.create({ kind: 'block' }),
      node.manager.create({ kind: 'block' }),
    ]);
    expect(third).toEqual(refused('filters', 2));
    await node.manager.uninstall(first.ok ? first.value : '');
    expect(await node.manager.create({ kind: 'pending' })).toMatchObject({ ok: true });
  });

  it('cap the filters of each client, and do not count filters whose client is unknown', async () => {
    const node = await started({ filtersPerClient: 1 });
    const id = await idOf(node.manager.create({ kind: 'block' }, 'a'));
    expect(await node.manager.create({ kind: 'block' }, 'a')).toEqual(refused('filtersPerClient', 1));
    expect(await node.manager.create({ kind: 'block' }, 'b')).toMatchObject({ ok: true });
    expect(await node.manager.create({ kind: 'block' })).toMatchObject({ ok: true });
    await node.manager.uninstall(id);
    expect(await node.manager.create({ kind: 'block' }, 'a')).toMatchObject({ ok: true });
  });

  it('cap the addresses and topics of all filters together', async () => {
    const node = await started({ filterTerms: 3 });
    const criteria = {
      kind: 'logs',
      criteria: { fromBlock: undefined, toBlock: undefined, addresses: [addressOf(1)], topics: [[], []] },
    } as const;
    const id = await idOf(node.manager.create(criteria));
    expect(await node.manager.create(criteria)).toEqual(refused('filterTerms', 3));
    await node.manager.uninstall(id);
    expect(node.manager.counters()).toEqual({ filters: 0, terms: 0 });
  });

  it('cap the polls that wait for another poll of the same filter', async () => {
    const node = await started({ filterWaitingPolls: 1 });
    const id = await idOf(node.manager.create({ kind: 'block' }));
    const [, second, third] = await Promise.all([node.poll(id), node.poll(id), node.poll(id)]);
    expect(second).toEqual({ ok: true, value: [] });
    expect(third).toEqual({ ok: false, error: { code: 'busy', what: 'filter' } });
  });
});

describe('polling filters', () => {
  it('expire after five minutes without a poll, in one batch for all that expire together', async () => {
    const node = await started();
    for (let made = 0; made < 3; made += 1) await idOf(node.manager.create({ kind: 'block' }));
    let batches = 0;
    let release: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (release = resolve));
    const commit = node.store.commit.bind(node.store);
    node.store.commit = async (operations) => {
      batches += 1;
      await disk;
      await commit(operations);
    };
    await node.time.advance(300_000);
    release();
    await node.time.settle();
    expect(node.manager.counters()).toEqual({ filters: 0, terms: 0 });
    expect(node.log.head().streams.filters).toBe(6n);
    expect(batches).toBe(1);
  });

  it('do not expire while a poll is in progress, however long it takes', async () => {
    const node = await started();
    const id = await idOf(node.manager.create({ kind: 'block' }));
    let finish: () => void = () => undefined;
    const slow = node.manager.poll<string>(
      id,
      () => new Promise((resolve) => (finish = () => resolve({ ok: true, value: { value: 'late' } }))),
    );
    await node.time.advance(400_000);
    finish();
    expect(await slow).toEqual({ ok: true, value: 'late' });
    await node.time.advance(299_999);
    expect(await node.poll(id)).toEqual({ ok: true, value: [] });
  });

  it('return the new blocks after a revert of the chain', async () => {
    const node = await started();
    const id = await idOf(node.manager.create({ kind: 'block' }));
    await node.mine([]);
    await node.mine([]);
    expect(await node.poll(id)).toEqual({ ok: true, value: ['block 1', 'block 2'] });
    await node.goBack(1n);
    await node.mine([]);
    expect(await node.poll(id)).toEqual({ ok: true, value: ['block 2'] });
  });

  it('do not exist when the write of their creation fails', async () => {
    const node = await started();
    node.store.commit = () => Promise.reject(new Error('EIO'));
    expect(await node.manager.create({ kind: 'block' })).toEqual({ ok: false, error: { code: 'storage-failed' } });
    expect(node.manager.counters().filters).toBe(0);
  });

  it('leave no row when they are removed while a cursor is being written', async () => {
    const node = await started();
    const id = await idOf(node.manager.create({ kind: 'block' }));
    await node.mine([]);
    const commit = node.store.commit.bind(node.store);
    let release: () => void = () => undefined;
    const disk = new Promise<void>((resolve) => (release = resolve));
    // The batch with the cursor is slow: a later batch must not overtake it.
    node.store.commit = async (operations) => {
      node.store.commit = commit;
      await disk;
      await commit(operations);
    };
    const polled = node.poll(id);
    await node.time.settle();
    const removed = node.manager.uninstall(id);
    await node.time.settle();
    release();
    expect(await polled).toMatchObject({ ok: true });
    expect(await removed).toEqual({ ok: true, value: true });
    expect(await readFilters(node.store)).toEqual([]);
  });

  it('write each row once for many polls at the same moment', async () => {
    const node = await started();
    const ids = [
      await idOf(node.manager.create({ kind: 'block' })),
      await idOf(node.manager.create({ kind: 'block' })),
    ];
    await node.mine([]);
    let batches = 0;
    const commit = node.store.commit.bind(node.store);
    node.store.commit = (operations) => {
      batches += 1;
      return commit(operations);
    };
    await Promise.all(ids.map((id) => node.poll(id)));
    expect(batches).toBe(1);
  });
});
