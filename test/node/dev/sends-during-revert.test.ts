/** Transactions sent during a revert: they wait for its end, and are admitted on the branch after it. */
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { DevSend } from '../../../src/core/ethereum/api.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { accounts, send } from '../simulated-node.js';
import { NOBODY, opened, type Node } from './pending-node.js';
import { admit, blockAt, devOf, head, value } from './support.js';

const ONE = { to: NOBODY, value: '0x1' };

/** A store that delays the next batch. */
function holding() {
  let begun: (() => void) | undefined;
  let release: Promise<void> | undefined;
  let isBroken = false;
  return {
    /** Batches fail from now on. */
    breakStore: () => void (isBroken = true),
    openStore: (store: KeyValueStore): KeyValueStore => ({
      ...store,
      commit: async (operations, options) => {
        begun?.();
        begun = undefined;
        await release;
        if (isBroken) throw new Error('broken by the test');
        await store.commit(operations, options);
      },
    }),
    /** Resolves when the next batch waits, with the function that releases it and those after it. */
    next: (): Promise<() => void> =>
      new Promise((resolve) => {
        let letThrough: () => void = () => undefined;
        release = new Promise((done) => {
          letThrough = done;
        });
        begun = () => resolve(letThrough);
      }),
  };
}

/** A node whose store can delay batches: account 0 sent once between snapshots 1 and 2, and three times after. */
async function withSnapshots() {
  const store = holding();
  const node = await opened({ openStore: store.openStore });
  const dev = devOf(node.simulated);
  await node.mine();
  await value(dev.snapshot());
  await node.send(0, ONE);
  await node.mine();
  await value(dev.snapshot());
  for (let made = 0; made < 3; made += 1) {
    await node.send(0, ONE);
    await node.mine();
  }
  return { ...node, held: store.next, breakStore: store.breakStore };
}

/** A transfer that the account with this index signs itself. */
async function raw({ simulated }: Node, from: number, nonce: number): Promise<string> {
  const privateKey = accounts[from]?.privateKey ?? new Uint8Array();
  return privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`).signTransaction({
    chainId: Number(simulated.node.ethereum?.api.chainId),
    nonce,
    to: `0x${NOBODY.slice(2)}`,
    gas: 100_000n,
    gasPrice: 2_000_000_000n,
  });
}

const nonceOf = (node: Node, from: number) => node.ask('eth_getTransactionCount', node.senders[from], 'latest');
const txsAt = ({ simulated }: Node, height: bigint) => blockAt(simulated, height)?.block.data?.txs.length;

test('sends on every face wait for a running revert, keep their order, and get nonces of the new branch', async () => {
  const node = await withSnapshots();
  const { simulated } = node;
  const raws = await Promise.all([0, 1, 2].map((nonce) => raw(node, 1, nonce)));
  const holds = node.held();
  const back = devOf(simulated).revert(2n);
  const letThrough = await holds;
  let answers = 0;
  const sent = [
    node.send(0, ONE),
    ...raws.map((signed) => node.ask('eth_sendRawTransaction', signed)),
    node.send(0, { ...ONE, gas: undefined }),
    admit(simulated, send(2, 1, 5n, 0n)),
    admit(simulated, send(2, 1, 5n, 1n)),
  ];
  for (const one of sent) void one.finally(() => (answers += 1));
  await simulated.time.advance(1_000);
  expect([simulated.node.supervisor.mode(), answers]).toEqual(['reverting', 0]);
  letThrough();
  expect(await value(back)).toBe(true);
  expect((await Promise.all(sent)).slice(-2)).toEqual([0, 0]);
  const { pending, queued } = simulated.node.mempool.view;
  expect([pending, queued]).toEqual([7, 0]);
  await node.mine();
  expect(txsAt(node, 3n)).toBe(7);
  expect([await nonceOf(node, 0), await nonceOf(node, 1), await nonceOf(node, 2)]).toEqual(['0x3', '0x3', '0x2']);
  await simulated.node.stop();
});

test('a send waits for all queued reverts, also if the last one has an unknown snapshot id', async () => {
  const node = await withSnapshots();
  const { simulated } = node;
  const dev = devOf(simulated);
  const holds = node.held();
  const backs = [dev.revert(2n), dev.revert(1n), dev.revert(9n)];
  const letThrough = await holds;
  const sent = [node.send(0, ONE), admit(simulated, send(2, 1, 5n, 0n))];
  letThrough();
  expect(await Promise.all(backs.map(value))).toEqual([true, true, false]);
  await Promise.all(sent);
  expect(simulated.node.mempool.view.pending).toBe(2);
  await node.mine();
  expect([head(simulated).height, txsAt(node, 2n), await nonceOf(node, 0)]).toEqual([2n, 2, '0x1']);
  await simulated.node.stop();
});

test('dev commands between queued reverts send their own transactions while other sends wait', async () => {
  const node = await withSnapshots();
  const { simulated } = node;
  const dev = devOf(simulated);
  const own: DevSend = async () => ({ ok: true, value: await admit(simulated, send(1, 0, 5n, 0n)) });
  const holds = node.held();
  const commands = [
    dev.rollback(1n),
    dev.setBalance([new Uint8Array(20).fill(7)], 9n),
    dev.reorganize(1, [[own]]),
    dev.revert(2n),
  ];
  const letThrough = await holds;
  const sent = [0n, 1n].map((sequence) => simulated.node.api.commands.broadcastTx(send(2, 1, 5n, sequence)));
  letThrough();
  for (const command of commands) await value<unknown>(command);
  expect(await Promise.all(sent)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(head(simulated).height).toBe(2n);
  await simulated.node.stop();
});

test('a waiting send is answered when the revert fails and when the node stops', async () => {
  const failing = await withSnapshots();
  const holds = failing.held();
  const failed = devOf(failing.simulated).revert(2n);
  const fail = await holds;
  const lost = failing.simulated.node.api.commands.broadcastTx(send(2, 1, 5n, 0n));
  const filled = failing.send(0, ONE).catch((error: unknown) => error);
  failing.breakStore();
  fail();
  expect(await failed).toMatchObject({ ok: false });
  expect(await lost).toMatchObject({ ok: false });
  expect(await filled).toBeInstanceOf(Error);
  await failing.simulated.node.stop().catch(() => undefined);

  const stopping = await withSnapshots();
  const held = stopping.held();
  const back = devOf(stopping.simulated).revert(2n);
  const letThrough = await held;
  const sent = stopping.simulated.node.api.commands.broadcastTx(send(2, 1, 5n, 0n));
  const stopped = stopping.simulated.node.stop();
  letThrough();
  // The stop waits for the revert, and the waiting send is in the log for the next start.
  expect(await sent).toMatchObject({ ok: true, value: { code: 0 } });
  expect(await value(back)).toBe(true);
  await stopped;
});
