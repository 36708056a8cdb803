/**
 * Snapshots and reverts of a whole simulated node: the chain continues as if the abandoned blocks had never existed.
 */
import { describe, expect, it } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { DEV_BASE_DENOM, DEV_CHAIN_ID } from '../../../src/core/genesis/dev-chain.js';
import { MsgSoftwareUpgradeSchema } from '../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { cursorAfter } from '../../../src/core/subscriptions/index.js';
import { crypto } from '../../core/app/support.js';
import { accounts, send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, blockAt, devOf, firing, head, judge, reopenable, value } from './support.js';
import { anyOf, signTx } from '../../support/sign-tx.js';

/** Heights whose trees the executor keeps: those that can be proved, and those of runs that are not written yet. */
const TREES_KEPT = DEFAULT_LIMITS.provableHeights + FIXED_LIMITS.blocksOfRun * (FIXED_LIMITS.runsAsked + 1);

const ADDRESS = new Uint8Array(20).fill(7);

/** Everything that clients can see of a chain. */
async function shown(simulated: SimulatedNode): Promise<string> {
  const { chain } = simulated.node.api.queries;
  const { height, appHash } = chain.head();
  const blocks = Array.from({ length: Number(height) }, (_, index) => {
    const at = toHeight(BigInt(index + 1));
    const results = chain.results(at)?.txResults.map(({ code, log, gasUsed }) => `${code} ${log} ${gasUsed}`);
    return `${upperHex(chain.block(at)?.blockId.hash ?? new Uint8Array())} ${JSON.stringify(results)} ${chain.validators(at)?.validators.length}`;
  });
  const found = await chain.searchTxs('tx.height > 0');
  return JSON.stringify([
    String(height),
    upperHex(appHash),
    blocks,
    found.ok ? found.value.map(({ height: at, index }) => `${at}/${index}`) : found.error,
  ]);
}

async function transfer(simulated: SimulatedNode, sequence: bigint, amount = 5n): Promise<Uint8Array> {
  const tx = send(0, 1, amount, sequence);
  expect(await admit(simulated, tx)).toBe(0);
  await value(devOf(simulated).mine(1, undefined));
  return tx;
}

describe('evm_revert', () => {
  it('goes back again behind a revert, to a snapshot that lies below what the first one took back', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    expect(await value(dev.snapshot())).toBe(1n);
    await transfer(simulated, 0n);
    await value(dev.mine(3, undefined));
    expect(await value(dev.snapshot())).toBe(2n);
    await value(dev.mine(4, undefined));
    expect(await value(dev.revert(2n))).toBe(true);
    await value(dev.mine(1, undefined));
    expect(await value(dev.revert(1n))).toBe(true);
    await transfer(simulated, 0n, 7n);
    await simulated.node.stop();
    await judge(store);
  });

  it('brings back what was shown, and the same commands make the same blocks again', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await transfer(simulated, 0n);
    const before = await shown(simulated);
    expect(await value(dev.snapshot())).toBe(1n);
    await transfer(simulated, 1n, 77n);
    await value(dev.setBalance([ADDRESS], 10n ** 18n));
    await value(dev.mine(3, undefined));
    const branch = await shown(simulated);
    expect(await value(dev.revert(1n))).toBe(true);
    expect(await shown(simulated)).toBe(before);
    expect(blockAt(simulated, 3n)).toBeUndefined();
    await transfer(simulated, 1n, 77n);
    await value(dev.setBalance([ADDRESS], 10n ** 18n));
    await value(dev.mine(3, undefined));
    expect(JSON.parse(await shown(simulated))[1]).toBe(JSON.parse(branch)[1]);
    await simulated.node.stop();
    await judge(store);
  });

  it('uses up its snapshot and all later ones; an unknown id is false', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    for (const id of [1n, 2n, 3n]) {
      await value(dev.mine(1, undefined));
      expect(await value(dev.snapshot())).toBe(id);
    }
    await value(dev.mine(2, undefined));
    expect(await value(dev.revert(9n))).toBe(false);
    expect(await value(dev.revert(2n))).toBe(true);
    expect(head(simulated).height).toBe(2n);
    expect([await value(dev.revert(2n)), await value(dev.revert(3n))]).toEqual([false, false]);
    expect(await value(dev.snapshot())).toBe(4n);
    expect(await value(dev.revert(1n))).toBe(true);
    expect(head(simulated).height).toBe(1n);
    expect(await value(dev.revert(4n))).toBe(false);
    await simulated.node.stop();
  });

  it('forgets what waited for a block, and takes again what was committed or seen on the abandoned branch', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await value(dev.snapshot());
    const committed = await transfer(simulated, 0n);
    expect(await admit(simulated, send(0, 1, 5n, 1n))).toBe(0);
    await value(dev.revert(1n));
    expect(simulated.node.mempool.view.pending).toBe(0);
    expect(await admit(simulated, committed)).toBe(0);
    await value(dev.mine(1, undefined));
    expect(simulated.node.api.queries.chain.tx(crypto.sha256(committed))).toMatchObject({
      height: 2n,
      result: { code: 0 },
    });
    await simulated.node.stop();
  });

  it('goes back to before the first block', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.snapshot());
    await value(dev.mine(3, undefined));
    expect(await value(dev.revert(1n))).toBe(true);
    expect(head(simulated).height).toBe(0n);
    await value(dev.mine(2, undefined));
    await transfer(simulated, 0n);
    await simulated.node.stop();
    await judge(store);
    const again = await simulate({ store });
    await value(devOf(again).mine(1, undefined));
    expect(head(again).height).toBe(4n);
    await again.node.stop();
  });

  it('goes back further than the trees are kept: the executor is made again from the log', async () => {
    const store = reopenable();
    let executors = 0;
    const simulated = await simulate({
      store,
      wrap: (executor) => {
        executors += 1;
        return executor;
      },
    });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await transfer(simulated, 0n);
    await value(dev.snapshot());
    const before = await shown(simulated);
    await value(dev.setBalance([ADDRESS], 1n));
    await value(dev.mine(TREES_KEPT + 6, undefined));
    expect(executors).toBe(1);
    expect(await firing(simulated, dev.revert(1n))).toBe(true);
    expect(await shown(simulated)).toBe(before);
    expect(executors).toBe(2);
    // What was asked for is no error that the user is told of.
    expect(simulated.errors).toEqual([]);
    await transfer(simulated, 1n);
    await simulated.node.stop();
    await judge(store);
  });

  it('leaves no rows of abandoned blocks in the index, whatever is searched meanwhile', async () => {
    const store = reopenable();
    const searches: Promise<unknown>[] = [];
    let search: (() => Promise<unknown>) | undefined;
    const simulated = await simulate({
      store,
      openStore: (opened) => ({
        ...opened,
        commit: (rows, options) => {
          if (search !== undefined) searches.push(search());
          return opened.commit(rows, options);
        },
      }),
    });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await value(dev.snapshot());
    await transfer(simulated, 0n);
    // windows of blocks wait for the index
    await value(dev.mine(100, undefined));
    search = () => simulated.node.api.queries.chain.searchTxs('tx.height > 0');
    expect(await firing(simulated, dev.revert(1n))).toBe(true);
    search = undefined;
    expect(searches.length).toBeGreaterThan(1);
    await Promise.all(searches);
    expect(await simulated.node.api.queries.chain.searchTxs('tx.height > 0')).toEqual({ ok: true, value: [] });
    await value(dev.mine(2, undefined));
    await simulated.node.stop();
    await judge(store);
  });

  it('is remembered by a restart: snapshots, branch and height', async () => {
    const store = reopenable();
    const first = await simulate({ store });
    await value(devOf(first).mine(2, undefined));
    await value(devOf(first).snapshot());
    await value(devOf(first).snapshot());
    await transfer(first, 0n);
    await first.node.stop();
    const second = await simulate({ store });
    expect(head(second).height).toBe(3n);
    expect(await value(devOf(second).revert(2n))).toBe(true);
    await transfer(second, 0n, 9n);
    const branch = await shown(second);
    await second.node.stop();
    const third = await simulate({ store });
    expect(await shown(third)).toBe(branch);
    expect(await value(devOf(third).revert(2n))).toBe(false);
    expect(await value(devOf(third).revert(1n))).toBe(true);
    expect(head(third).height).toBe(2n);
    await third.node.stop();
    await judge(store);
  });

  it('takes back an upgrade: a start of the old version goes on, and it is due again', async () => {
    const store = reopenable();
    const version = ({ node }: SimulatedNode) => node.api.queries.status().appVersion;
    const old = await simulate({ store });
    await value(devOf(old).mine(1, undefined));
    const [authority] = accounts;
    if (authority === undefined) throw new Error('no account');
    const plan = anyOf(MsgSoftwareUpgradeSchema, {
      authority: authority.bech32,
      plan: { name: 'v2', height: 5n, info: '' },
    });
    const tx = signTx(
      {
        messages: [plan],
        memo: '',
        chainId: DEV_CHAIN_ID,
        accountNumber: 0n,
        sequence: 0n,
        fee: { amount: [{ denom: DEV_BASE_DENOM, amount: 400_000_000_000_000n }], gasLimit: 200_000n },
      },
      authority.privateKey,
    );
    expect(await admit(old, tx)).toBe(0);
    await value(devOf(old).mine(1, undefined));
    await value(devOf(old).snapshot());
    const before = version(old);
    const halted = { ok: false, error: { code: 'halted' } };
    expect(await devOf(old).mine(5, undefined)).toMatchObject(halted);
    expect(await devOf(old).revert(1n)).toMatchObject(halted);
    await old.node.stop();

    const upgraded = await simulate({ store, appVersion: 'v2' });
    await value(devOf(upgraded).mine(2, undefined));
    const applied = { height: head(upgraded).height, version: version(upgraded) };
    expect(applied).toEqual({ height: 7n, version: before + 1n });
    expect(await value(devOf(upgraded).revert(1n))).toBe(true);
    expect([head(upgraded).height, version(upgraded)]).toEqual([2n, before]);
    // The plan is in the future again, and a build that already has its handler refuses to run before the plan
    // (cosmos-sdk v0.53 `x/upgrade/abci.go`).
    expect(await devOf(upgraded).mine(1, undefined)).toMatchObject(halted);
    await upgraded.node.stop();

    const again = await simulate({ store });
    expect(head(again).height).toBe(3n);
    expect(await devOf(again).mine(5, undefined)).toMatchObject(halted);
    await again.node.stop();
    const last = await simulate({ store, appVersion: 'v2' });
    await value(devOf(last).mine(2, undefined));
    expect({ height: head(last).height, version: version(last) }).toEqual(applied);
    await last.node.stop();
    await judge(store);
  });

  it('leaves a log that a restart finds its way through, however often it was gone back', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    expect(await value(dev.snapshot())).toBe(1n);
    await value(dev.mine(3, undefined));
    expect(await value(dev.revert(1n))).toBe(true);
    for (let round = 1n; round <= 6n; round += 1n) {
      await value(dev.mine(Number(round % 3n), undefined));
      const id = await value(dev.snapshot());
      await value(dev.setBalance([ADDRESS], round));
      const inner = await value(dev.snapshot());
      await value(dev.mine(2, undefined));
      expect(await value(dev.revert(inner))).toBe(true);
      await value(dev.mine(1, undefined));
      if (round % 2n === 0n) expect(await value(dev.revert(id))).toBe(true);
    }
    const before = await shown(simulated);
    await simulated.node.stop();
    const again = await simulate({ store });
    expect(await shown(again)).toBe(before);
    await value(devOf(again).mine(2, undefined));
    await again.node.stop();
    await judge(store);
  });

  it('ends before the node does, when both are asked for at once', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await value(dev.snapshot());
    await value(dev.mine(3, undefined));
    const asked = [dev.revert(1n), dev.mine(500, undefined), dev.mine(1, undefined)];
    // The first of them begins on a later turn of the promises.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    await simulated.node.stop();
    const [reverted, mined, refused] = await Promise.all(asked);
    expect([reverted, mined, refused].map((answer) => answer?.ok)).toEqual([true, false, false]);
    expect(simulated.errors).toEqual([]);
    const again = await simulate({ store });
    expect(head(again).height).toBe(1n);
    await again.node.stop();
    await judge(store);
  });

  it('sets the clock to the block that is the head again, as anvil does', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    await value(dev.snapshot());
    await value(dev.increaseTime(86_400n));
    await simulated.time.advance(10_000);
    await value(dev.mine(1, undefined));
    await value(dev.revert(1n));
    const back = blockAt(simulated, 2n)?.block.header?.time?.seconds ?? 0n;
    await simulated.time.advance(3_000);
    await value(dev.mine(1, undefined));
    expect(blockAt(simulated, 3n)?.block.header?.time?.seconds).toBe(back + 3n);
    await simulated.node.stop();
  });
});

describe('a cursor in a chain that went back', () => {
  it('is refused where its block is no longer part of the chain; others go on with the blocks of the present branch', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    const live: { readonly position: bigint; readonly height: bigint | undefined }[] = [];
    simulated.node.api.feeds.onCommit(({ position, events }) => live.push({ position, height: events.at(-1)?.height }));
    await value(dev.mine(3, undefined));
    await value(dev.snapshot());
    await value(dev.mine(4, undefined));
    const cursors = live.map(({ position }) => position);
    await value(dev.revert(1n));
    const reverted = simulated.node.eventLog.head().position;
    await value(dev.mine(2, undefined));
    expect(live.map(({ height }) => height)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 4n, 5n]);
    const { history } = simulated.node.subscriptions;
    const after = async (from: bigint): Promise<readonly bigint[] | string> => {
      const refusal = await history.judge(cursorAfter(toPosition(from)));
      if (refusal !== undefined) return refusal.code;
      const heights: bigint[] = [];
      for await (const input of history.read('commits', { after: toPosition(from) })) {
        const event = input.lane === 'commits' ? input.events().at(-1) : undefined;
        if (event !== undefined) heights.push(event.height);
      }
      return heights;
    };
    expect(await after(0n)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await after(cursors[1] ?? 0n)).toEqual([3n, 4n, 5n]);
    expect(await after(cursors[2] ?? 0n)).toEqual([4n, 5n]);
    for (const abandoned of [3, 4, 6]) expect(await after(cursors[abandoned] ?? 0n)).toBe('cursor-abandoned');
    expect(await after(reverted)).toEqual([4n, 5n]);
    expect(await after(live.at(-2)?.position ?? 0n)).toEqual([5n]);
    await simulated.node.stop();
  });
});
