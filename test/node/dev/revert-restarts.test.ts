/** Reverts of a simulated node that is started again, by the same build or another. */
import { describe, expect, it } from 'vitest';
import { plan, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, devOf, head, judge, shown, transfer, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const ADDRESS = new Uint8Array(20).fill(7);

describe('evm_revert', () => {
  it('survives a restart with its snapshots, branch and height', async () => {
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

  it('undoes an upgrade: the old version runs again until the plan is due again', async () => {
    const store = reopenable();
    const version = ({ node }: SimulatedNode) => node.api.queries.status().appVersion;
    const old = await simulate({ store });
    await value(devOf(old).mine(1, undefined));
    expect(await admit(old, plan('v2', 5n, 0n))).toBe(0);
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

  it('leaves a log that a restart replays correctly, also after many nested reverts', async () => {
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

  it('completes before a stop that is requested at the same time', async () => {
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
});
