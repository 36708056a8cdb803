/** The clock of the blocks in dev mode, over a whole simulated node. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { commitHash } from '../../../src/core/comet/body-hash.js';
import { verifyCommit } from '../../support/verify-commit.js';
import { invariant } from '../../../src/core/errors.js';
import { toHeight } from '../../../src/core/primitives.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { fromHex } from '../../../src/core/bytes/hex.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { send, simulate } from '../simulated-node.js';
import { blockAt, devOf, firing, head, secondOf, value } from './support.js';
import { encode } from '../../support/encode.js';
import { reopenable } from '../../support/reopenable.js';

const HOUR = 3_600n;

const ADDRESS = new Uint8Array(20).fill(7);
const STOPPED = { ok: false, error: { code: 'busy', what: 'no Ethereum face' } } as const;

/** A transaction with this timeout timestamp. */
function before(seconds: bigint): Uint8Array {
  const raw = fromBinary(TxRawSchema, send(0, 1, 1n, 0n));
  const body = fromBinary(TxBodySchema, raw.bodyBytes);
  body.timeoutTimestamp = create(TimestampSchema, { seconds });
  return encode(TxRawSchema, { ...raw, bodyBytes: toBinary(TxBodySchema, body) });
}

it('concurrent mine commands each answer the height of their own last block', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  const mined = await Promise.all([3, 1, 2].map((blocks) => value(dev.mine(blocks, undefined))));
  expect(mined).toEqual([3n, 4n, 6n]);
  await simulated.node.stop();
});

describe('simulations and gas estimates after the clock was moved', () => {
  it('run at the time of the next block', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    const time = secondOf(simulated, 2n);
    // reverts before this time
    const opens = (time + HOUR).toString(16).padStart(8, '0');
    await firing(simulated, dev.setAccount(ADDRESS, { code: fromHex(`4263${opens}11600b57005b5f5ffd`) }));
    const { api } = simulated.node.ethereum ?? {};
    const tried = async (seconds: bigint) => {
      const { height } = head(simulated);
      const estimate = await firing(
        simulated,
        Promise.resolve(api?.estimateGas({ to: ADDRESS }, height, [], {}) ?? STOPPED),
      );
      const simulation = await simulated.node.api.queries.app.simulate(before(time + seconds));
      return [estimate.kind, simulation.ok && simulation.value.ok];
    };
    expect(await tried(HOUR - 1n)).toEqual(['revert', true]);
    await value(dev.increaseTime(HOUR));
    expect(await tried(HOUR - 1n)).toEqual(['gas', false]);
    expect(await tried(HOUR + 60n)).toEqual(['gas', true]);
    await value(dev.mine(1, undefined));
    expect(await tried(HOUR - 1n)).toEqual(['gas', false]);
    await value(dev.setNextBlockTimestamp(time + 3n * HOUR));
    expect(await tried(2n * HOUR)).toEqual(['gas', false]);
    await simulated.node.stop();
  });
});

describe('evm_increaseTime', () => {
  it('moves the time of the next block and all later ones, and answers the total shift', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    const before = secondOf(simulated, 2n);
    expect(await value(dev.increaseTime(HOUR))).toBe(HOUR);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 3n)).toBe(before + HOUR);
    expect(await value(dev.increaseTime(10n))).toBe(HOUR + 10n);
    await value(dev.mine(2, undefined));
    expect([secondOf(simulated, 4n), secondOf(simulated, 5n)]).toEqual([before + HOUR + 10n, before + HOUR + 10n]);
    await simulated.node.stop();
  });

  it('survives a restart, also one before the next block', async () => {
    const store = reopenable();
    const first = await simulate({ store });
    await value(devOf(first).mine(2, undefined));
    const before = secondOf(first, 2n);
    await value(devOf(first).increaseTime(HOUR));
    await first.node.stop();
    const second = await simulate({ store });
    await value(devOf(second).mine(1, undefined));
    expect(secondOf(second, 3n)).toBe(before + HOUR);
    await second.node.stop();
    const third = await simulate({ store });
    expect(await value(devOf(third).increaseTime(0n))).toBe(HOUR);
    await value(devOf(third).mine(1, undefined));
    expect(secondOf(third, 4n)).toBe(before + HOUR);
    await third.node.stop();
  });

  it('gives the next block a valid commit, whose time is signed again', async () => {
    const crypto = createPureCrypto();
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    await value(dev.increaseTime(HOUR));
    await value(dev.mine(1, undefined));
    const { chain } = simulated.node.api.queries;
    const [second, third] = [blockAt(simulated, 2n), blockAt(simulated, 3n)];
    const validators = chain.validators(toHeight(2n));
    const commit = third?.block.lastCommit;
    invariant(
      second !== undefined && validators !== undefined && commit !== undefined,
      'block 3 carries a commit of block 2',
    );
    expect(
      verifyCommit(crypto, third?.block.header?.chainId ?? '', validators, second.blockId, 2n, commit),
    ).toMatchObject({ ok: true });
    expect(commitHash(crypto, commit)).toEqual(third?.block.header?.lastCommitHash);
    await simulated.node.stop();
  });

  it('refuses a time after the year 9999', async () => {
    const simulated = await simulate({ store: reopenable() });
    expect(await devOf(simulated).increaseTime(10n ** 12n)).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
    expect(await value(devOf(simulated).increaseTime(1n))).toBe(1n);
    await simulated.node.stop();
  });

  it('leaves a year of margin, so that no later block passes the year 9999', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    expect(await dev.setNextBlockTimestamp(253_370_764_800n)).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
    await value(dev.setNextBlockTimestamp(253_370_764_799n));
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 2n)).toBe(253_370_764_799n);
    await simulated.time.advance(7_000);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 3n)).toBe(253_370_764_806n);
    await simulated.node.stop();
  });
});

describe('evm_setNextBlockTimestamp', () => {
  it('sets the time of the next mined block, not that of a dev command’s block; the clock continues from it', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    const target = secondOf(simulated, 1n) + 500n;
    await value(dev.setNextBlockTimestamp(target));
    await simulated.time.advance(7_000);
    await value(dev.mine(2, undefined));
    expect(blockAt(simulated, 2n)?.block.header?.time).toMatchObject({ seconds: target, nanos: 0 });
    expect(secondOf(simulated, 3n)).toBe(target + 7n);
    await value(dev.setNextBlockTimestamp(target + 100n));
    await value(dev.setBalance([new Uint8Array(20).fill(1)], 5n));
    expect(secondOf(simulated, 4n)).toBe(target + 7n);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 5n)).toBe(target + 100n);
    await simulated.node.stop();
  });

  it('is kept by evm_increaseTime, which moves the blocks after it, and cancelled by evm_setTime', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    const target = secondOf(simulated, 1n) + 500n;
    await value(dev.setNextBlockTimestamp(target));
    const shift = await value(dev.increaseTime(0n));
    expect(await value(dev.increaseTime(100n))).toBe(shift + 100n);
    await value(dev.mine(2, undefined));
    expect(blockAt(simulated, 2n)?.block.header?.time).toMatchObject({ seconds: target, nanos: 0 });
    expect(secondOf(simulated, 3n)).toBe(target + 100n);
    await value(dev.setNextBlockTimestamp(target + 200n));
    await value(dev.setTime(target + 300n));
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 4n)).toBe(target + 300n);
    await simulated.node.stop();
  });

  it('refuses a time before the head; a later call replaces an earlier one', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    const now = secondOf(simulated, 2n);
    expect(await dev.setNextBlockTimestamp(now - 1n)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    expect(await dev.setNextBlockTimestamp(10n ** 12n)).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    await value(dev.setNextBlockTimestamp(now + 50n));
    await value(dev.setNextBlockTimestamp(now + 20n));
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 3n)).toBe(now + 20n);
    await simulated.node.stop();
  });

  it('moves the clock permanently: after a restart the next block has that time', async () => {
    const store = reopenable();
    const first = await simulate({ store });
    await value(devOf(first).mine(1, undefined));
    const target = secondOf(first, 1n) + 500n;
    await value(devOf(first).setNextBlockTimestamp(target));
    await first.node.stop();
    const second = await simulate({ store });
    await value(devOf(second).mine(1, undefined));
    expect(secondOf(second, 2n)).toBe(target);
    await second.node.stop();
  });
});

describe('evm_setTime', () => {
  it('moves the clock forward or back to a time, and answers the seconds it moved forward', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    const now = secondOf(simulated, 2n);
    expect(await value(dev.setTime(now + HOUR))).toBe(HOUR);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 3n)).toBe(now + HOUR);
    expect(await value(dev.setTime(now))).toBe(0n);
    await value(dev.mine(1, undefined));
    // Times of blocks rise whatever the clock says.
    expect(secondOf(simulated, 4n)).toBe(now + HOUR);
    await simulated.time.advance(10_000);
    expect(await value(dev.setTime(now + 2n * HOUR))).toBe(2n * HOUR - 10n);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 5n)).toBe(now + 2n * HOUR);
    await simulated.node.stop();
  });
});

describe('evm_mine', () => {
  it('makes the requested number of blocks, and answers when they are published', async () => {
    const simulated = await simulate({ store: reopenable() });
    await value(devOf(simulated).mine(70, undefined));
    expect(head(simulated).height).toBe(70n);
    await simulated.node.stop();
  });

  it('makes its blocks in one piece: a block requested meanwhile comes after the last', async () => {
    const simulated = await simulate({ store: reopenable() });
    let made = 0n;
    const many = value(devOf(simulated).mine(20, undefined)).then(() => {
      made = head(simulated).height;
    });
    while (head(simulated).height < 3n) await new Promise((resolve) => setImmediate(resolve));
    const other = simulated.node.consensus.mine();
    await many;
    await value(other);
    expect([made, head(simulated).height]).toEqual([20n, 21n]);
    await simulated.node.stop();
  });

  it('gives the first block exactly the timestamp, and the clock continues from it', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    const target = secondOf(simulated, 1n) + 1_000n;
    await value(dev.mine(2, target));
    expect(blockAt(simulated, 2n)?.block.header?.time).toMatchObject({ seconds: target, nanos: 0 });
    expect(secondOf(simulated, 3n)).toBe(target);
    await simulated.time.advance(5_000);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 4n)).toBe(target + 5n);
    await simulated.node.stop();
  });

  it('makes blocks a number of seconds apart, and the clock continues from the last', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await simulated.time.advance(3_000);
    await value(dev.mine(3, undefined, { seconds: 60n, beforeFirst: false }));
    const first = secondOf(simulated, 2n);
    expect([first - secondOf(simulated, 1n), secondOf(simulated, 3n) - first, secondOf(simulated, 4n) - first]).toEqual(
      [3n, 60n, 120n],
    );
    await simulated.time.advance(5_000);
    await value(dev.mine(1, undefined));
    expect(secondOf(simulated, 5n) - first).toBe(125n);
    expect(await dev.mine(2, undefined, { seconds: 10n ** 12n, beforeFirst: false })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
    await simulated.node.stop();
  });

  it('applies the interval before the first block, too, if requested', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    const steps = { seconds: 60n, beforeFirst: true };
    await value(dev.mine(2, undefined, steps));
    const seconds = (from: bigint, to: bigint) => secondOf(simulated, to) - secondOf(simulated, from);
    expect(seconds(1n, 2n)).toBe(60n);
    await simulated.time.advance(3_000);
    await value(dev.mine(2, undefined, steps));
    expect([seconds(2n, 3n), seconds(3n, 4n)]).toEqual([63n, 60n]);
    // the head may be ahead of the clock
    await value(dev.setTime(secondOf(simulated, 1n)));
    await value(dev.mine(1, undefined, steps));
    expect(seconds(4n, 5n)).toBe(60n);
    await value(dev.setNextBlockTimestamp(secondOf(simulated, 5n) + 7n));
    await value(dev.mine(2, undefined, steps));
    expect([seconds(5n, 6n), seconds(6n, 7n)]).toEqual([7n, 60n]);
    await simulated.node.stop();
  });

  it('accepts a timestamp equal to that of the head, as anvil does; block times still increase', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    await value(dev.mine(1, secondOf(simulated, 2n)));
    expect(secondOf(simulated, 3n)).toBe(secondOf(simulated, 2n));
    const [before, after] = [2n, 3n].map((height) => blockAt(simulated, height)?.block.header?.time?.nanos ?? 0);
    expect(after).toBeGreaterThan(before ?? 0);
    await simulated.node.stop();
  });

  it('makes blocks with increasing times, also with an interval of zero', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    await value(dev.setTimestampInterval(0n));
    await value(dev.mine(2, undefined));
    const [second, third, fourth] = [2n, 3n, 4n].map((height) => blockAt(simulated, height)?.block.header?.time);
    expect([third?.seconds, fourth?.seconds]).toEqual([second?.seconds, second?.seconds]);
    expect(third?.nanos).toBeGreaterThan(second?.nanos ?? 0);
    expect(fourth?.nanos).toBeGreaterThan(third?.nanos ?? 0);
    await simulated.node.stop();
  });

  it('refuses a timestamp before the head, and changes nothing', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    expect(await dev.mine(1, secondOf(simulated, 2n) - 1n)).toMatchObject({
      ok: false,
      error: { code: 'invalid-params', message: expect.stringContaining('is before that of block 2') },
    });
    expect(head(simulated).height).toBe(2n);
    await simulated.node.stop();
  });
});
