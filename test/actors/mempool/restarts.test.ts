import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf, write } from '../../core/mempool/nonce-chain.js';
import { propertyRuns } from '../../support/property-runs.js';
import { PoolNode } from './harness.js';

const ACCOUNTS = ['a', 'b', 'c'];

type Step =
  | { readonly kind: 'send'; readonly txs: readonly Uint8Array[]; readonly busy: boolean }
  | {
      readonly kind: 'block';
      readonly gas: bigint;
      readonly floor: number;
      readonly poor: string;
      readonly balance: number;
    }
  | { readonly kind: 'goBack' }
  | { readonly kind: 'restart' | 'crash' };

const transaction = fc
  .record({
    kind: fc.constantFrom('ethereum' as const, 'ethereum' as const, 'cosmos' as const),
    account: fc.constantFrom(...ACCOUNTS),
    nonce: fc.integer({ min: 0, max: 9 }),
    price: fc.integer({ min: 1, max: 60 }),
  })
  .map(write);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      txs: fc.array(transaction, { minLength: 1, maxLength: 4 }),
      busy: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      gas: fc.bigInt({ min: 0n, max: 6n }),
      floor: fc.constantFrom(0, 0, 0, 20),
      poor: fc.constantFrom(...ACCOUNTS),
      balance: fc.constantFrom(1_000, 1_000, 60),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ kind: 'restart' }, { kind: 'crash' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'goBack' }) },
);

/** The answer to a client, and the view of the pool afterwards. */
async function take(node: PoolNode, one: Step, isDisturbed: boolean): Promise<unknown> {
  if (one.kind === 'send') {
    node.busy = one.busy;
    const sent = one.txs.map((tx) => node.send(tx));
    // A failure after the admissions, before the log has them. If the log was busy, dropped transactions would return.
    if (isDisturbed && one.txs.length === 3 && !one.busy) await crash(node);
    await node.idle();
    const answers = await Promise.all(sent);
    node.busy = false;
    // A drop that the log refused is appended again after the next block.
    if (one.busy) await node.block(0n);
    await node.idle();
    return answers.map((answer) => (answer.ok ? answer.value.code : answer.error.code));
  }
  if (one.kind === 'block') {
    node.chain.floor = one.floor;
    node.chain.balances.set(one.poor, one.balance);
    const txs = await node.block(one.gas);
    await node.idle();
    return txs.map(hashOf);
  }
  if (one.kind === 'goBack') {
    node.chain.nonces.clear();
    node.goBack();
    await node.idle();
    return undefined;
  }
  if (!isDisturbed) return undefined;
  if (one.kind === 'crash') await crash(node);
  else {
    const restarted = node.supervisor.restart('mempool');
    await node.idle();
    await restarted;
  }
  await node.idle();
  return undefined;
}

async function crash(node: PoolNode): Promise<void> {
  const before = node.supervisor.restarts();
  const deadly = write({ kind: 'ethereum', account: 'd', nonce: 0, price: 1 });
  node.defect = deadly;
  const sent = node.send(deadly);
  await node.idle();
  expect(await sent).toMatchObject({ ok: false, error: { code: 'busy' } });
  expect(node.supervisor.restarts()).toBe(before + 1);
}

test('a mempool that stops, restarts or fails at any moment answers and shows the same as an undisturbed one', async () => {
  let restarts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.constantFrom(1_000, 5), async (steps, work) => {
      const [node, twin] = [new PoolNode({ step: work }), new PoolNode()];
      await Promise.all([node.start(), twin.start()]);
      for (const one of steps) {
        expect(await take(node, one, true)).toEqual(await take(twin, one, false));
        expect(node.seen(ACCOUNTS)).toEqual(twin.seen(ACCOUNTS));
        const { view } = node.mempool;
        expect(
          node.waiting
            .all()
            .map(({ hash }) => hash)
            .toSorted(),
        ).toEqual([...view.entries('pending'), ...view.entries('queued')].map(({ hash }) => hash).toSorted());
      }
      restarts += node.supervisor.restarts();
    }),
    { numRuns: propertyRuns(60) },
  );
  expect(restarts).toBeGreaterThan(10);
});
